#compdef gradproof
# Completion of gradproof's command lines, for zsh: what bash's file says.
local file=${functions_source[_gradproof]:A:h}/../../bash-completion/completions/gradproof
local -a found
found=(${(f)"$(bash $file "${(@)words[1,CURRENT]}" 2>/dev/null)"})
compadd -f -- $found
