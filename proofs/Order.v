(* What one addition of a known machine loses: OrderBound::share_lost. Addends are cut toward zero at p + x bits below the largest,
   whose leading bit is 2^e; the sum of what is left is rounded to p bits. *)
From Coq Require Import Reals Lra Lia List ZArith.
From Flocq Require Import Core Relative.
From Limit Require Import Tree Machines Limit.
Import ListNotations.
Open Scope R_scope.

Section Order.
Variables (p x e : Z).
Hypothesis p_pos : (1 < p)%Z.
Hypothesis x_pos : (0 <= x)%Z.
Notation c := (e + 1 - p - x)%Z.
Instance p_gt_0 : Prec_gt_0 p.
Proof. unfold Prec_gt_0. lia. Qed.

(* [cut xs ts n]: what the cut leaves of the addends, n of which may have lost bits. *)
Inductive cut : list R -> list R -> nat -> Prop :=
| cut_none : cut [] [] 0
| cut_kept y xs ts n : multiple c y -> cut xs ts n -> cut (y :: xs) (y :: ts) n
| cut_lossy y t xs ts n : multiple c t -> Rabs t <= Rabs y -> Rabs (t - y) <= bpow radix2 c -> cut xs ts n ->
    cut (y :: xs) (t :: ts) (S n).

Lemma cut_sums xs ts n : cut xs ts n ->
  Rabs (sum ts - sum xs) <= INR n * bpow radix2 c /\ sum_abs ts <= sum_abs xs /\ multiple c (sum ts).
Proof.
  induction 1 as [| y xs ts n Hy _ (H1 & H2 & H3) | y t xs ts n Ht Hty Hl _ (H1 & H2 & H3)].
  - simpl. rewrite Rminus_0_r, Rabs_R0. repeat split; try lra. apply multiple_0.
  - simpl. repeat split; [| lra | apply multiple_plus; assumption].
    replace (y + sum ts - (y + sum xs)) with (sum ts - sum xs) by ring. exact H1.
  - cbn [sum sum_abs fold_right]. fold (sum ts) (sum xs) (sum_abs ts) (sum_abs xs). rewrite S_INR.
    repeat split; [| lra | apply multiple_plus; assumption].
    replace (t + sum ts - (y + sum xs)) with ((t - y) + (sum ts - sum xs)) by ring.
    eapply Rle_trans; [apply Rabs_triang | lra].
Qed.

Lemma sum_le_abs l : Rabs (sum l) <= sum_abs l.
Proof.
  induction l as [| y l IH]; simpl; [rewrite Rabs_R0; lra |]. eapply Rle_trans; [apply Rabs_triang | lra].
Qed.

(* A sum that stays below twice the power of two in the largest addend has at most p + x bits. *)
Lemma exponent_of t : t <> 0 -> Rabs t < bpow radix2 (e + 1) -> (cexp radix2 (FLX_exp p) t <= c + x)%Z.
Proof.
  intros H0 H. unfold cexp, FLX_exp. pose proof (mag_le_bpow radix2 t (e + 1) H0 H). lia.
Qed.

Lemma format_of t : multiple c t -> (cexp radix2 (FLX_exp p) t <= c)%Z -> generic_format radix2 (FLX_exp p) t.
Proof.
  intros (m & ->) H. change (IZR m * bpow radix2 c) with (F2R (Float radix2 m c)) in *. apply generic_format_F2R. intros _. exact H.
Qed.

Lemma any_in_units rnd t : Valid_rnd rnd -> multiple c t -> Rabs t < bpow radix2 (e + 1) ->
  Rabs (round radix2 (FLX_exp p) rnd t - t) <= IZR (2 ^ x - 1) * bpow radix2 c.
Proof.
  intros Hr Ht H. assert (Hx : (1 <= 2 ^ x)%Z) by (apply Z.lt_pred_le; apply Z.pow_pos_nonneg; lia).
  assert (HX : 0 <= IZR (2 ^ x - 1) * bpow radix2 c) by (apply Rmult_le_pos; [apply IZR_le; lia | apply bpow_ge_0]).
  destruct (Req_dec t 0) as [-> | H0]; [rewrite round_0, Rminus_eq_0, Rabs_R0; auto |].
  pose proof (exponent_of t H0 H) as HE. set (e' := cexp radix2 (FLX_exp p) t) in *.
  destruct (Z_le_gt_dec e' c) as [L | L].
  - rewrite round_generic, Rminus_eq_0, Rabs_R0; auto. apply format_of; auto.
  - pose proof (error_lt_ulp radix2 (FLX_exp p) rnd t H0) as HU. rewrite ulp_neq_0 in HU by exact H0. fold e' in HU.
    assert (HM : multiple c (round radix2 (FLX_exp p) rnd t - t)).
    { apply multiple_plus.
      - exists (rnd (scaled_mantissa radix2 (FLX_exp p) t) * 2 ^ (e' - c))%Z. unfold round, F2R. simpl. fold e'.
        rewrite mult_IZR, IZR_pow2, Rmult_assoc, <- bpow_plus by lia. do 2 f_equal. lia.
      - destruct Ht as (m & ->). exists (- m)%Z. rewrite opp_IZR. ring. }
    destruct HM as (j & EJ). rewrite EJ in *. rewrite Rabs_mult, (Rabs_pos_eq (bpow radix2 c)), <- abs_IZR in * by apply bpow_ge_0.
    apply Rmult_le_compat_r; [apply bpow_ge_0 |]. apply IZR_le. assert (Z.abs j < 2 ^ (e' - c))%Z.
    { apply lt_IZR. rewrite IZR_pow2 by lia. apply (Rmult_lt_reg_r (bpow radix2 c)); [apply bpow_gt_0 |].
      rewrite <- bpow_plus. replace (e' - c + c)%Z with e' by lia. exact HU. }
    assert (2 ^ (e' - c) <= 2 ^ x)%Z by (apply Z.pow_le_mono_r; lia). lia.
Qed.

Lemma nearest_in_units choice t : multiple c t -> Rabs t < bpow radix2 (e + 1) ->
  Rabs (round radix2 (FLX_exp p) (Znearest choice) t - t) <= IZR (2 ^ x / 2) * bpow radix2 c.
Proof.
  intros Ht H. assert (Hx : (0 < 2 ^ x)%Z) by (apply Z.pow_pos_nonneg; lia).
  assert (HX : 0 <= IZR (2 ^ x / 2) * bpow radix2 c) by (apply Rmult_le_pos; [apply IZR_le, Z.div_pos; lia | apply bpow_ge_0]).
  destruct (Req_dec t 0) as [-> | H0]; [rewrite round_0, Rminus_eq_0, Rabs_R0; auto with typeclass_instances |].
  pose proof (exponent_of t H0 H) as HE. destruct (Z_le_gt_dec (cexp radix2 (FLX_exp p) t) c) as [L | L].
  - rewrite round_generic, Rminus_eq_0, Rabs_R0; auto with typeclass_instances. apply format_of; auto.
  - eapply Rle_trans; [apply error_le_half_ulp; auto with typeclass_instances |]. rewrite ulp_neq_0 by exact H0.
    assert (E : (2 ^ x / 2 = 2 ^ (x - 1))%Z).
    { replace x with (1 + (x - 1))%Z at 1 by lia. rewrite Z.pow_add_r by lia. rewrite Z.mul_comm. apply Z.div_mul. lia. }
    rewrite E, IZR_pow2, bpow_half, <- bpow_plus by lia. apply bpow_le. lia.
Qed.

(* The two cases of share_lost, for the largest addend between 2^e and S, the sum of magnitudes. *)
Theorem share_lost xs ts n v units r : cut xs ts n -> bpow radix2 e <= sum_abs xs -> 0 <= r -> 0 <= units ->
  (Rabs (sum ts) < bpow radix2 (e + 1) -> Rabs (v - sum ts) <= units * bpow radix2 c) ->
  Rabs (v - sum ts) <= r * Rabs (sum ts) ->
  let unit := bpow radix2 (1 - p - x) in
  Rabs (v - sum xs) <= Rmax ((INR n + units) * unit) (INR n / 2 * unit + r) * sum_abs xs.
Proof.
  intros HC HS Hr Hun H1 H2 unit. destruct (cut_sums xs ts n HC) as (HL & HA & _).
  assert (E : bpow radix2 c = unit * bpow radix2 e) by (unfold unit; rewrite <- bpow_plus; f_equal; lia).
  assert (U0 : 0 <= unit) by apply bpow_ge_0. pose proof (pos_INR n) as N0. pose proof (bpow_gt_0 radix2 e) as E0.
  assert (HV : Rabs (v - sum xs) <= Rabs (v - sum ts) + Rabs (sum ts - sum xs)).
  { replace (v - sum xs) with ((v - sum ts) + (sum ts - sum xs)) by ring. apply Rabs_triang. }
  rewrite E in *. set (S := sum_abs xs) in *.
  destruct (Rlt_le_dec (Rabs (sum ts)) (bpow radix2 (e + 1))) as [H | H].
  - specialize (H1 H). apply Rle_trans with ((INR n + units) * unit * S); [| apply Rmult_le_compat_r; [lra | apply Rmax_l]].
    assert ((INR n + units) * unit * bpow radix2 e <= (INR n + units) * unit * S).
    { apply Rmult_le_compat_l; [apply Rmult_le_pos; lra | exact HS]. } lra.
  - pose proof (sum_le_abs ts) as HT. rewrite bpow_plus in H. simpl (bpow radix2 1) in H.
    apply Rle_trans with ((INR n / 2 * unit + r) * S); [| apply Rmult_le_compat_r; [lra | apply Rmax_r]].
    assert (INR n * unit * bpow radix2 e <= INR n * unit * (S / 2)) by (apply Rmult_le_compat_l; [apply Rmult_le_pos; lra | lra]).
    assert (r * Rabs (sum ts) <= r * S) by (apply Rmult_le_compat_l; lra). lra.
Qed.
End Order.
