# Prints "class FILE NAME LINES" for every class or struct in clang-format's layout, at no columns, that is longer than LIMIT lines.
FNR == 1 { begin = 0 }
/^(class|struct) [A-Za-z_:]+.*\{$/ { name = $2; begin = FNR }
/^};/ && begin { if (FNR - begin + 1 > LIMIT) print "class", FILENAME, name, FNR - begin + 1; begin = 0 }
