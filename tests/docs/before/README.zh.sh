# As for the English page.
. "$GRADPROOF_PROJECT/tests/docs/before/README.sh"
