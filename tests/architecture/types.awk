# Prints "FOLDER NAME" for each class, struct or enumeration, in clang-format's layout at no columns, that an earlier file of the
# same top-level folder defines too: a name that needs its namespace to be understood. Row is what tables call theirs.
/^(class|struct|enum|enum class|union) [A-Za-z_]+( final)?( :.*)?( \{|$)/ && !/;$/ {
  name = $2 == "class" ? $3 : $2
  folder = FILENAME
  sub("/.*", "", folder)
  place = folder " " name
  if (name != "Row" && place in first && first[place] != FILENAME && !(place in told)) {
    told[place]
    print place
  }
  if (!(place in first)) first[place] = FILENAME
}
