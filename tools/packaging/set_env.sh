# shellcheck shell=bash
# The environment of programs that are built and run with this tree in CANN's place. To be sourced by sh, bash or zsh, from any
# folder; sourcing it again changes nothing more.
if [ -n "${BASH_VERSION:-}" ]; then
  _gradproof_file=${BASH_SOURCE[0]}
elif [ -n "${ZSH_VERSION:-}" ]; then
  # shellcheck disable=SC2296,SC3057  # zsh: the file that is being read; other shells must not parse it
  eval '_gradproof_file=${(%):-%x}'
else
  # Other shells do not tell what they read, but they have it open.
  for _gradproof_open in "/proc/$$/fd"/*; do
    case $(readlink "$_gradproof_open") in
      */set_env.sh | */setenv.bash) _gradproof_file=$(readlink "$_gradproof_open") ;;
    esac
  done
fi
_gradproof_root=$(dirname "$(readlink -f "${_gradproof_file:-.}")")

# _gradproof_prepend VARIABLE FOLDER: unless it is there already.
_gradproof_prepend() {
  _gradproof_value=
  eval "_gradproof_value=\${$1:-}"
  case ":$_gradproof_value:" in
    *":$2:"*) ;;
    *) export "$1=$2${_gradproof_value:+:$_gradproof_value}" ;;
  esac
}

if [ -e "$_gradproof_root/lib64/libascendcl.so" ]; then
  export ASCEND_HOME_PATH="$_gradproof_root" ASCEND_TOOLKIT_HOME="$_gradproof_root" ASCEND_AICPU_PATH="$_gradproof_root"
  export ASCEND_OPP_PATH="$_gradproof_root/opp" TOOLCHAIN_HOME="$_gradproof_root/toolkit"
  _gradproof_prepend PATH "$_gradproof_root/bin"
  _gradproof_prepend LD_LIBRARY_PATH "$_gradproof_root/lib64"
  _gradproof_prepend CMAKE_PREFIX_PATH "$_gradproof_root/lib64/cmake"
else
  echo "set_env.sh: $_gradproof_root has no lib64/libascendcl.so; source it from the tree that was installed" >&2
fi
unset _gradproof_file _gradproof_open _gradproof_root _gradproof_value
unset -f _gradproof_prepend
