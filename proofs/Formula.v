(* The bound as oracle/arithmetic/error_bound.cpp and tools/check_certificate.py compute it: integers alone. *)
From Coq Require Import ZArith Bool.
Open Scope Z_scope.

Inductive adder := Ieee | Faithful | Block.

(* A format of sums: bits of significands, and the exponent of the least number; the smallest normal one is 2^(emin + prec - 1). *)
Record format := { prec : Z; emin : Z }.
Definition float := {| prec := 24; emin := -149 |}.
Definition double := {| prec := 53; emin := -1074 |}.

(* u = 2^(bits_lost - p), and how many u an addend counts. *)
Definition bits_lost a := match a with Ieee => 0 | Faithful => 1 | Block => 2 end.
Definition factor a := match a with Block => 2 | _ => 1 end.
Definition is_block a := match a with Block => true | _ => false end.
Definition may_flush a := match a with Ieee => false | _ => true end.

Definition per_roundoff a fmt := 2 ^ (prec fmt - bits_lost a).  (* 1 / u *)
Definition roundings a (rounded : bool) K :=
  if K =? 0 then 0 else factor a * (if rounded || is_block a then K else K - 1).
Definition is_defined a fmt rounded K := roundings a rounded K <? per_roundoff a fmt.

(* (m, e) is m * 2^e. *)
Definition dyadic := (Z * Z)%type.
Definition one : dyadic := (1, 0).
Definition add (x y : dyadic) : dyadic :=
  let e := Z.min (snd x) (snd y) in (Z.shiftl (fst x) (snd x - e) + Z.shiftl (fst y) (snd y - e), e).
Definition mul (x y : dyadic) : dyadic := (fst x * fst y, snd x + snd y).
Definition opposite (x : dyadic) : dyadic := (- fst x, snd x).

Definition guard := 72.
Definition ceiling n m := - ((- n) / m).

(* n u / (1 - n u) = n / (1/u - n), rounded up to a multiple of 2^-(p + 72). *)
Definition plain_gamma a fmt rounded K : dyadic :=
  let n := roundings a rounded K in let bits := prec fmt + guard in
  (ceiling (Z.shiftl n bits) (per_roundoff a fmt - n), - bits).
Definition gamma a fmt rounded (slack : dyadic) K : dyadic :=
  let widened := add one slack in
  add (mul (mul (add one (plain_gamma a fmt rounded K)) widened) widened) (opposite one).

Definition lost_exponent a fmt := if may_flush a then emin fmt + prec fmt else emin fmt - 1.
Definition underflow a fmt rounded slack K (subnormal : dyadic) : dyadic :=
  let lost := mul (K, lost_exponent a fmt) (add one (gamma a fmt rounded slack K)) in
  if may_flush a then add lost subnormal else lost.
Definition bound a fmt rounded slack K (S subnormal : dyadic) : dyadic :=
  add (mul (gamma a fmt rounded slack K) S) (underflow a fmt rounded slack K subnormal).

(* Whether every partial sum in any order is exact: oracle/judge/sum_scope.cpp. unit: all products are multiples of 2^unit;
   emax: 2^emax is infinite. *)
Definition grid_fits a fmt emax unit (has_subnormals : bool) :=
  (unit <=? emax - 1 - prec fmt) &&
  (if may_flush a then (emin fmt + prec fmt - 1 + 2 <=? unit) && negb has_subnormals else emin fmt <=? unit).
Definition every_sum_is_exact a fmt emax unit has_subnormals left_bits right_bits longest :=
  grid_fits a fmt emax unit has_subnormals &&
  (left_bits + right_bits + (if longest =? 0 then 0 else Z.log2 longest + 1) <=? prec fmt).
