(* The limit of one element, from its operands to the bits of its result. *)
From Coq Require Import Reals Lra Lia List ZArith Bool.
From Flocq Require Import Core Relative.
From Limit Require Import Tree Machines Block Formula Bound.
Import ListNotations.
Open Scope R_scope.

Fixpoint leaves t := match t with Leaf _ p _ => [p] | Node _ ts => leaves_of ts end
with leaves_of ts := match ts with Nil => [] | More t ts => leaves t ++ leaves_of ts end.

Definition sum (ps : list R) := fold_right Rplus 0 ps.
Definition sum_abs (ps : list R) := fold_right (fun p s => Rabs p + s) 0 ps.
Definition count (ps : list R) := fold_right (fun p k => (counts p + k)%nat) 0%nat ps.

Lemma sum_app ps qs : sum (ps ++ qs) = sum ps + sum qs /\ sum_abs (ps ++ qs) = sum_abs ps + sum_abs qs /\
                      count (ps ++ qs) = (count ps + count qs)%nat.
Proof.
  induction ps as [| p ps (H1 & H2 & H3)]; simpl; [repeat split; lra |]. rewrite H1, H2, H3. repeat split; try lra. lia.
Qed.

Lemma of_leaves :
  (forall t, exact t = sum (leaves t) /\ mag t = sum_abs (leaves t) /\ terms t = count (leaves t)) /\
  (forall ts, exact_of ts = sum (leaves_of ts) /\ mag_of ts = sum_abs (leaves_of ts) /\ terms_of ts = count (leaves_of ts)).
Proof.
  apply trees_induction; simpl; intros; auto.
  - repeat split; try lra. lia.
  - destruct (sum_app (leaves t) (leaves_of ts)) as (-> & -> & ->), H as (-> & -> & ->), H0 as (-> & -> & ->). auto.
Qed.

(* What a device multiplies of the products p: each is off by the slack h of two operands, or is lost with a subnormal operand
   that is read as zero. [lost]: the sum of the magnitudes of the lost ones. *)
Inductive seen (h : R) : list R -> list R -> R -> Prop :=
| seen_none : seen h [] [] 0
| seen_near p q ps qs lost : Rabs (q - p) <= ((1 + h) * (1 + h) - 1) * Rabs p -> seen h ps qs lost ->
    seen h (p :: ps) (q :: qs) lost
| seen_lost p ps qs lost : seen h ps qs lost -> seen h (p :: ps) (0 :: qs) (Rabs p + lost).

(* Operands a (1 + d), |d| <= h: HF32 in an unknown direction, h one unit in its last place. *)
Lemma near_product h x y x' y' : Rabs (x' - x) <= h * Rabs x -> Rabs (y' - y) <= h * Rabs y ->
  Rabs (x' * y' - x * y) <= ((1 + h) * (1 + h) - 1) * Rabs (x * y).
Proof.
  intros Hx Hy. rewrite (Rabs_mult x y). pose proof (Rabs_pos x). pose proof (Rabs_pos y).
  pose proof (Rabs_pos (x' - x)). pose proof (Rabs_pos (y' - y)).
  replace (x' * y' - x * y) with ((x' - x) * (y' - y) + (x' - x) * y + x * (y' - y)) by ring.
  eapply Rle_trans; [apply Rabs_triang |]. eapply Rle_trans; [apply Rplus_le_compat_r, Rabs_triang |]. rewrite !Rabs_mult.
  assert (Rabs (x' - x) * Rabs (y' - y) <= h * Rabs x * (h * Rabs y)) by (apply Rmult_le_compat; lra).
  assert (Rabs (x' - x) * Rabs y <= h * Rabs x * Rabs y) by (apply Rmult_le_compat_r; lra).
  assert (Rabs x * Rabs (y' - y) <= Rabs x * (h * Rabs y)) by (apply Rmult_le_compat_l; lra). lra.
Qed.

(* Rounding in any direction to p bits errs by less than 2^(1-p) of a normal operand: the slack of oracle/arithmetic. *)
Lemma converted_operand emin p x x' : (1 < p)%Z -> (x = 0 \/ normal emin p <= Rabs x) -> faithful emin p x x' ->
  Rabs (x' - x) <= bpow radix2 (1 - p) * Rabs x.
Proof.
  intros Hp Hx (rnd & Hr & ->). destruct Hx as [-> | Hx].
  - rewrite round_0, Rminus_eq_0, Rabs_R0, Rmult_0_r; auto with typeclass_instances. lra.
  - left. replace (1 - p)%Z with (- p + 1)%Z by lia. apply relative_error_FLT; auto. lia.
Qed.

Lemma seen_sums h ps qs lost : 0 <= h -> seen h ps qs lost ->
  sum_abs qs <= (1 + h) * (1 + h) * sum_abs ps /\
  Rabs (sum qs - sum ps) <= ((1 + h) * (1 + h) - 1) * sum_abs ps + lost /\ (count qs <= count ps)%nat.
Proof.
  intros Hh H. assert (Hw : 0 <= (1 + h) * (1 + h) - 1).
  { assert (1 * 1 <= (1 + h) * (1 + h)) by (apply Rmult_le_compat; lra). lra. }
  induction H as [| p q ps qs lost Hq _ (H1 & H2 & H3) | p ps qs lost _ (H1 & H2 & H3)]; simpl.
  - rewrite Rminus_0_r, Rabs_R0. repeat split; try lra. lia.
  - assert (Hq' : Rabs q <= Rabs (q - p) + Rabs p).
    { replace q with ((q - p) + p) at 1 by ring. apply Rabs_triang. }
    repeat split.
    + lra.
    + replace (q + sum qs - (p + sum ps)) with ((q - p) + (sum qs - sum ps)) by ring.
      eapply Rle_trans; [apply Rabs_triang | lra].
    + unfold counts. destruct (Req_EM_T q 0), (Req_EM_T p 0); try lia. exfalso. subst p.
      rewrite Rminus_0_r, Rabs_R0, Rmult_0_r in Hq. pose proof (Rabs_pos_lt q n). lra.
  - pose proof (Rabs_pos p). assert (0 <= ((1 + h) * (1 + h) - 1) * Rabs p) by (apply Rmult_le_pos; lra).
    assert (0 <= (1 + h) * (1 + h) * Rabs p) by (apply Rmult_le_pos; lra).
    rewrite Rabs_R0. repeat split.
    + lra.
    + replace (0 + sum qs - (p + sum ps)) with (- p + (sum qs - sum ps)) by ring.
      eapply Rle_trans; [apply Rabs_triang |]. rewrite Rabs_Ropp. lra.
    + unfold counts at 1. destruct (Req_EM_T 0 0); [| tauto]. lia.
Qed.

(* The theorem: |computed - exact| is at most what error_bound.cpp computes. ps: the exact products of the operands as the
   mode converts them, K of them not zero; t: a sum of what the device made of them, in its order and with its roundings. *)
Theorem limit a fmt rounded slack K S subnormal t ps lost :
  (4 <= prec fmt)%Z -> (0 <= K)%Z -> is_defined a fmt rounded K = true ->
  run a fmt rounded t -> seen (real slack) ps (leaves t) lost ->
  (Z.of_nat (count ps) <= K)%Z -> sum_abs ps <= real S -> 0 <= real slack ->
  lost <= (if may_flush a then real subnormal else 0) ->
  Rabs (value t - sum ps) <= real (bound a fmt rounded slack K S subnormal).
Proof.
  intros Hp HK HD HR HS HC HM Hh HL. set (h := real slack) in *.
  destruct (proj1 of_leaves t) as (Ee & Em & Et). destruct (seen_sums h ps (leaves t) lost Hh HS) as (H1 & H2 & H3).
  rewrite <- Ee, <- Em, <- Et in *.
  pose proof (limit_of_run a fmt Hp rounded K HK HD t HR ltac:(lia)) as H. cbv zeta in H.
  pose proof (plain_gamma_pos a fmt Hp rounded K HK HD) as Hg.
  set (g := real (plain_gamma a fmt rounded K)) in *.
  assert (Eg : real (gamma a fmt rounded slack K) = (1 + g) * ((1 + h) * (1 + h)) - 1).
  { unfold gamma. rewrite !real_add, !real_mul, !real_add, real_opposite, real_one. fold g h. ring. }
  assert (Hw : 1 <= (1 + h) * (1 + h)).
  { assert (1 * 1 <= (1 + h) * (1 + h)) by (apply Rmult_le_compat; lra). lra. }
  set (w := (1 + h) * (1 + h)) in *. set (A := IZR K * bpow radix2 (lost_exponent a fmt)) in *.
  assert (HA : 0 <= A) by (apply Rmult_le_pos; [apply IZR_le; exact HK | apply bpow_ge_0]).
  assert (Hgw : (1 + g) * 1 <= (1 + g) * w) by (apply Rmult_le_compat_l; lra).
  assert (EU : (1 + g) * w * A + (if may_flush a then real subnormal else 0) =
               real (underflow a fmt rounded slack K subnormal)).
  { unfold underflow. destruct (may_flush a); rewrite ?real_add, real_mul, real_add, Eg, real_one; unfold A, real; simpl; ring. }
  unfold bound. rewrite real_add, real_mul, Eg, <- EU.
  assert (g * mag t <= g * (w * sum_abs ps)) by (apply Rmult_le_compat_l; lra).
  assert ((1 + g) * A <= (1 + g) * w * A) by (apply Rmult_le_compat_r; lra).
  assert (((1 + g) * w - 1) * sum_abs ps <= ((1 + g) * w - 1) * real S) by (apply Rmult_le_compat_l; lra).
  replace (value t - sum ps) with ((value t - exact t) + (exact t - sum ps)) by ring.
  eapply Rle_trans; [apply Rabs_triang |]. lra.
Qed.
