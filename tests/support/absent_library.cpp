// What needy_library is linked with, and is not found when that is loaded.
extern "C" int gradproof_absent() { return 0; }
