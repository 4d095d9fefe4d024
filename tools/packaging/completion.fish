# Completion of gradproof's command lines, for fish: what bash's file says.
set -g __gradproof_bash (dirname (realpath (status filename)))/../../bash-completion/completions/gradproof
function __gradproof_complete
    bash $__gradproof_bash (commandline -opc) (commandline -ct) 2>/dev/null
end
complete -c gradproof -f -a '(__gradproof_complete)'
