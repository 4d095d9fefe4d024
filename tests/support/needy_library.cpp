// Needs a library that is somewhere else.
extern "C" int gradproof_absent();
extern "C" int gradproof_needy() { return gradproof_absent(); }
