# Doc comments of functions whose first word is no subject, as FILE:LINE: COMMENT; with COUNT=1 the number of comments of functions.
# A comment is a function's if the declaration behind it has a name and a parenthesis ahead of any initialiser or body.
BEGIN {
  split("What Whether Which How Why Where When Whose Who Of As By In For With Like Without From At On To Up Over Under Along Around " \
        "Between Beyond Behind Before After Ahead That Those These This Its It The_same Same So Then Else If While Once Not Never Only " \
        "Just Nearly Mostly There Their Whatever Either Neither Both Some More Few Enough Any No Called Kept Seen Counted Checked " \
        "Asked Rounded Drawn nullopt nullptr null Null Nullopt Empty 0 1", words, " ")
  for (i in words) refused[words[i]] = 1
}
FNR == 1 { comment = ""; declaration = ""; state = "" }
/^ *\/\/\// && !/^ *\/\/\/</ {
  text = $0; sub(/^ *\/\/\/ */, "", text)
  if (state != "comment") { comment = text; line = FNR } else comment = comment " " text
  state = "comment"; declaration = ""
  next
}
state == "" { next }
/^ *$/ || /^ *\/\// { state = ""; next }
{
  text = $0; sub(/ *\/\/.*/, "", text); sub(/^ */, "", text)
  declaration = declaration " " text; state = "declaration"
  if (text ~ /[;{}]$/) { judge(); state = "" }
}
function judge(   d, head, first, both, word) {
  d = declaration; sub(/^ */, "", d)
  while (sub(/^(template *<[^<>]*(<[^<>]*>[^<>]*)*> *|static |inline |constexpr |virtual |friend |extern |\[\[[a-z]+\]\] )/, "", d)) {}
  if (d ~ /^(struct|class|enum|using|namespace|concept|union|typedef|requires|public|private|#)/) return
  head = d
  if (d !~ /operator/) sub(/[={;].*/, "", head)
  if (head !~ /[A-Za-z0-9_>~\])] *\(/ || head ~ /\(\*/) return
  functions++
  split(comment, both, " ")
  word = both[1]; gsub(/[.,:;]+$/, "", word)
  first = word; if (word == "The" && both[2] ~ /^same[.,:;]?$/) first = "The_same"
  if (first in refused && both[1] != "Empty:") { say(); return }
  if (d ~ /^void / && word !~ /^[A-Z][a-z]+s$/) { say(); return }
  if (d ~ /^bool / && word !~ /^(True|False|[A-Z][a-z]+s)$/) say()
}
function say() { if (!COUNT) print FILENAME ":" line ": " comment }
END { if (COUNT) print functions + 0 }
