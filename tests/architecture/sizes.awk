# Prints "function FILE NAME LINES" for every function definition in clang-format's layout that is longer than LIMIT lines:
# it begins at no or two columns with a line that ends in "{" (its parameters may take lines before), and ends with "}" there.
function name_of(text) {
  sub(/\(.*/, "", text)
  sub(/ +$/, "", text)
  sub(/.*[ *&]/, "", text)
  return text
}
FNR == 1 { begin = 0; header = ""; indentation = -1 }
{
  match($0, /^ */)
  here = RLENGTH
  closes = $0 ~ /^ *\}/
  if (begin && closes && here == indentation) {
    if (FNR - begin + 1 > LIMIT) print "function", FILENAME, name, FNR - begin + 1
    begin = 0
    header = ""
    next
  }
  if (begin && here > indentation) next
  if (begin || here > 2 && header == "") { header = ""; next }
  if ($0 ~ /^ *(namespace|struct|class|enum|union|extern|using|template|if|for|while|switch|else|do|case|public|private|#|\/\/)/ && header == "") next
  if ($0 ~ /^ *(struct|class|enum|union|namespace)/) { header = ""; next }
  if ($0 ~ /[;}]$/ || $0 ~ /^$/) { header = ""; next }
  if (header == "") { if (here > 2) next; start = FNR; indentation = here; header = $0 } else header = header " " $0
  if ($0 ~ /\{$/) {
    if (header ~ /\(/ && header !~ /= *\{$/ && header !~ /^[^(]*=/ && header !~ /operator\(\).*;/) {
      begin = start
      name = name_of(header)
    }
    header = ""
  }
}
