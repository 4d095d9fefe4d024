# A library of the reader's, and cases.
cmake --install build/release --prefix "$HOME/mine" >/dev/null &&
  g++ -std=c++17 -shared -fPIC docs/examples/my_operator.cpp -I"$HOME/mine/include" -L"$HOME/mine/lib" \
    -lopapi -Wl,-rpath,"$HOME/mine/lib" -o libmy_opapi.so &&
  gradproof list cases --cases 20 --seed 1 >cases.jsonl
