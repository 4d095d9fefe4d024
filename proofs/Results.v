(* From the sum to the bits of the result, and why nothing overflows on the way. *)
From Coq Require Import Reals Lra Lia List ZArith Bool.
From Flocq Require Import Core.
From Limit Require Import Tree Machines Block Formula Bound Limit.
Import ListNotations.
Open Scope R_scope.

(* One rounding of an output: to a format, then what is too large becomes [beyond]: the largest number, or infinity, which counts
   as a number larger than all. *)
Record step := { fexp : Z -> Z; rnd : R -> Z; most : R; beyond : R; valid_exp : Valid_exp fexp; valid_rnd : Valid_rnd rnd;
                 is_beyond : 0 <= most <= beyond }.

Definition clipped most beyond y := if Rlt_dec most y then beyond else if Rlt_dec y (- most) then - beyond else y.
Definition take s x := clipped (most s) (beyond s) (round radix2 (fexp s) (rnd s) x).
Definition chain (steps : list step) x := fold_left (fun x s => take s x) steps x.

Lemma take_monotone s x y : x <= y -> take s x <= take s y.
Proof.
  intros H. unfold take, clipped. pose proof (is_beyond s). pose proof (valid_exp s). pose proof (valid_rnd s).
  pose proof (round_le radix2 (fexp s) (rnd s) x y H).
  repeat destruct (Rlt_dec _ _); lra.
Qed.

Theorem chain_monotone steps : forall x y, x <= y -> chain steps x <= chain steps y.
Proof. induction steps as [| s steps IH]; simpl; intros x y H; [exact H |]. apply IH, take_monotone, H. Qed.

(* The verdict's test cannot fail on a sum that the theorem speaks of. *)
Theorem result_in_interval a fmt rounded K S subnormal slack t ps lost steps :
  (4 <= prec fmt)%Z -> (0 <= K)%Z -> is_defined a fmt rounded K = true ->
  run a fmt rounded t -> seen (real slack) ps (leaves t) lost ->
  (Z.of_nat (count ps) <= K)%Z -> sum_abs ps <= real S -> 0 <= real slack ->
  lost <= (if may_flush a then real subnormal else 0) ->
  let e := real (bound a fmt rounded slack K S subnormal) in
  chain steps (sum ps - e) <= chain steps (value t) <= chain steps (sum ps + e).
Proof.
  intros Hp HK HD HR HS HC HM Hh HL e.
  pose proof (limit a fmt rounded slack K S subnormal t ps lost Hp HK HD HR HS HC HM Hh HL) as H. fold e in H.
  apply Rabs_le_inv in H. split; apply chain_monotone; lra.
Qed.

(* The formats of results: FLT for FLOAT, FLOAT16, BFLOAT16, HF32 and FLOAT8_E4M3FN, whose rounding Flocq knows to be monotone,
   and HIFLOAT8, which has fewer bits far from 1. *)
#[export] Instance flt_valid emin p (H : (0 < p)%Z) : Valid_exp (FLT_exp emin p).
Proof. assert (Prec_gt_0 p) by exact H. apply FLT_exp_valid. exact H0. Qed.

Definition hifloat8_bits e := if Z.ltb (Z.abs e) 4 then 3%Z else if Z.ltb (Z.abs e) 8 then 2%Z else
  if Z.ltb (Z.abs e) 16 then 1%Z else 0%Z.
Definition hifloat8_exp k := Z.max (k - 1 - hifloat8_bits (k - 1)) (-22).

#[export] Instance hifloat8_valid : Valid_exp hifloat8_exp.
Proof.
  intros k. unfold hifloat8_exp, hifloat8_bits.
  repeat match goal with |- context [(?x <? ?y)%Z] => destruct (Z.ltb_spec x y) end; repeat split; intros;
    repeat match goal with |- context [(?x <? ?y)%Z] => destruct (Z.ltb_spec x y) end; lia.
Qed.

(* The theorem holds of every partial sum, so a bound on all of them follows. *)
Fixpoint everywhere (Q : tree -> Prop) t :=
  Q t /\ match t with Leaf _ _ _ => True | Node _ ts => everywhere_of Q ts end
with everywhere_of Q ts := match ts with Nil => True | More t ts => everywhere Q t /\ everywhere_of Q ts end.

Section Overflow.
Variables (a : adder) (fmt : format) (rounded : bool) (K : Z) (M : R).
Notation p := (prec fmt).
Hypothesis prec_enough : (4 <= p)%Z.
Hypothesis K_pos : (0 <= K)%Z.
Hypothesis defined : is_defined a fmt rounded K = true.
Notation g := (real (plain_gamma a fmt rounded K)).
Notation A := (IZR K * bpow radix2 (lost_exponent a fmt)).

Definition small t := (Z.of_nat (terms t) <= K)%Z /\ mag t <= M.
Definition partial t := Rabs (value t) <= (1 + g) * M + (1 + g) * A.

Lemma partial_sum t : runs (u a fmt) (times a) (product_roundings a rounded) (lost_product a fmt) (lost_addition a fmt) t ->
  small t -> partial t.
Proof.
  intros HR (Hk & HM). unfold partial.
  pose proof (plain_gamma_pos a fmt prec_enough rounded K K_pos defined) as Hg.
  pose proof (limit_of_runs a fmt prec_enough rounded K K_pos defined t HR Hk) as H. cbv zeta in H.
  pose proof (proj1 exact_le_mag t) as HE. pose proof (proj1 mag_nonneg t).
  assert (g * mag t <= g * M) by (apply Rmult_le_compat_l; lra).
  assert (Rabs (value t) <= Rabs (value t - exact t) + Rabs (exact t)).
  { replace (value t) with ((value t - exact t) + exact t) at 1 by ring. apply Rabs_triang. }
  lra.
Qed.

Lemma all_partial_sums :
  (forall t, runs (u a fmt) (times a) (product_roundings a rounded) (lost_product a fmt) (lost_addition a fmt) t ->
     small t -> everywhere partial t) /\
  (forall ts, runs_of (u a fmt) (times a) (product_roundings a rounded) (lost_product a fmt) (lost_addition a fmt) ts ->
     (Z.of_nat (terms_of ts) <= K)%Z -> mag_of ts <= M -> everywhere_of partial ts).
Proof.
  apply trees_induction; intros.
  - split; [apply partial_sum; assumption | exact I].
  - split; [apply partial_sum; assumption |]. destruct H0 as (Hts & _), H1 as (H1 & H2). apply H; assumption.
  - exact I.
  - simpl in *. pose proof (proj1 mag_nonneg t). pose proof (proj2 mag_nonneg ts). destruct H1 as (Ht & Hts).
    split; [apply H; [exact Ht | split; [lia | lra]] | apply H0; [exact Hts | lia | lra]].
Qed.
End Overflow.

(* Where (1 + gamma) S + (1 + gamma) A stays below 2^emax, no partial sum of any order reaches it. *)
Theorem no_overflow a fmt rounded K M emax t :
  (4 <= prec fmt)%Z -> (0 <= K)%Z -> is_defined a fmt rounded K = true -> run a fmt rounded t ->
  (Z.of_nat (terms t) <= K)%Z -> mag t <= M ->
  let g := real (plain_gamma a fmt rounded K) in
  (1 + g) * M + (1 + g) * (IZR K * bpow radix2 (lost_exponent a fmt)) < bpow radix2 emax ->
  everywhere (fun t => Rabs (value t) < bpow radix2 emax) t.
Proof.
  intros Hp HK HD HR Hk HM g Hlt.
  pose proof (proj1 (all_partial_sums a fmt rounded K M Hp HK HD) t (run_runs a fmt Hp rounded t HR) (conj Hk HM)) as H.
  assert (E : (forall t, everywhere (partial a fmt rounded K M) t -> everywhere (fun t => Rabs (value t) < bpow radix2 emax) t) /\
              (forall ts, everywhere_of (partial a fmt rounded K M) ts -> everywhere_of (fun t => Rabs (value t) < bpow radix2 emax) ts)).
  { apply trees_induction.
    - intros r q v (H1 & _). split; [exact (Rle_lt_trans _ _ _ H1 Hlt) | exact I].
    - intros v ts IH (H1 & H2). split; [exact (Rle_lt_trans _ _ _ H1 Hlt) | exact (IH H2)].
    - intros _. exact I.
    - intros t' IHt ts IHts (H1 & H2). exact (conj (IHt H1) (IHts H2)). }
  apply E, H.
Qed.
