// Exports nothing that CANN has.
extern "C" int nothing_of_cann() { return 0; }
