(* The 10,000 problems of tests/oracle/arithmetic/proved_formula_test.cpp and tests/properties/certificates/formula_test.py, and what
   Formula.v makes of them. Ten problems a line, as one number modulo 2^61 - 1. *)
From Coq Require Import ZArith List Bool.
From Limit Require Import Formula.
Import ListNotations.
Open Scope Z_scope.

Definition P := 2 ^ 61 - 1.
(* Draws of problem i: Lehmer's generator modulo p, the first four steps apart. *)
Fixpoint steps n x : list Z := match n with O => [] | S n => let x := x * 48271 mod P in x :: steps n x end.
Definition drawn i := skipn 4 (steps 20 ((i + 1) * 1000003)).

(* Significands of operands: FLOAT, FLOAT16, BFLOAT16, HF32 (11 and 10 bits), FLOAT8_E4M3FN, HIFLOAT8. *)
Definition precisions := [24; 11; 8; 12; 11; 4; 4].

Record problem := Problem { kind : adder; sums : format; operands : Z; is_bias : bool; slack : dyadic; K : Z; magnitude : dyadic;
                    subnormal : dyadic; unit : Z; has_subnormals : bool; left : Z; right : Z; longest : Z }.

(* The last fifth adds in DOUBLE. Every sixteenth number of terms lies at the end of what has a bound. *)
Definition the_problem i :=
  let list := drawn i in let d j := nth j list 0 in
  let a := nth (Z.to_nat (d 0%nat mod 3)) [Ieee; Faithful; Block] Ieee in
  let is_double := 8000 <=? i in
  let fmt := if is_double then double else float in
  let operands := if is_double then 53 else nth (Z.to_nat (d 1%nat mod 7)) precisions 0 in
  let most := per_roundoff a fmt / factor a in
  {| kind := a; sums := fmt; operands := operands; is_bias := d 2%nat mod 8 =? 0;
     slack := if operands =? 24 then nth (Z.to_nat (d 3%nat mod 3)) [(0, 0); (1, -11); (1, -10)] (0, 0) else (0, 0);
     K := if d 4%nat mod 16 =? 0 then most - 2 + d 5%nat mod 5 else d 5%nat mod 2 ^ (d 4%nat mod 20 + 1);
     magnitude := (d 6%nat, d 7%nat mod 260 - 200);
     subnormal := if d 9%nat mod 2 =? 0 then (0, 0) else (d 8%nat / 2 ^ 8, d 10%nat mod 100 - 220);
     unit := (if is_double then d 11%nat mod 2300 - 1180 else d 11%nat mod 280 - 165);
     has_subnormals := d 12%nat mod 4 =? 0; left := d 13%nat mod 14; right := d 13%nat / 16 mod 14; longest := d 14%nat mod 2 ^ (d 15%nat mod 12) |}.

Definition is_rounded p := negb (is_bias p) && negb (2 * operands p <=? prec (sums p)).

(* An odd significand, or 0. *)
Fixpoint without_twos (m : positive) (e : Z) : dyadic := match m with xO m => without_twos m (e + 1) | _ => (Zpos m, e) end.
Definition normal (x : dyadic) := match fst x with Zpos m => without_twos m (snd x) | _ => (0, 0) end.

Definition numbers p : list Z :=
  if is_defined (kind p) (sums p) (is_rounded p) (K p) then
    flat_map (fun x => let y := normal x in [fst y; snd y])
      [gamma (kind p) (sums p) (is_rounded p) (slack p) (K p);
       underflow (kind p) (sums p) (is_rounded p) (slack p) (K p) (subnormal p);
       bound (kind p) (sums p) (is_rounded p) (slack p) (K p) (magnitude p) (subnormal p)]
  else [].

Definition bit (b : bool) := if b then 1 else 0.
Definition answers p :=
  let emax := if prec (sums p) =? 24 then 128 else 1024 in
  let no_slack := fst (slack p) =? 0 in
  map bit [is_defined (kind p) (sums p) (is_rounded p) (K p);
           no_slack && grid_fits (kind p) (sums p) emax (unit p) (has_subnormals p);
           no_slack && every_sum_is_exact (kind p) (sums p) emax (unit p) (has_subnormals p) (left p) (right p) (longest p)].

Definition digest h x := (h * 1000003 + x mod P) mod P.
Definition over_ten n :=
  fold_left (fun h i =>
    let p := the_problem (10 * n + Z.of_nat i) in (fold_left digest (numbers p) (fst h), fold_left digest (answers p) (snd h)))
    (seq 0 10) (n, n).

Set Printing Width 60.
Set Printing Depth 100000.
Eval vm_compute in map (fun n => over_ten (Z.of_nat n)) (seq 0 1000).
