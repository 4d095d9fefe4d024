// Calls a function that no library has.
extern "C" int a_function_that_nobody_has();
extern "C" int gradproof_undefined() { return a_function_that_nobody_has(); }
