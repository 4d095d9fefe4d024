(* The bound of Formula.v holds for every run of every machine that its adder stands for. *)
From Coq Require Import Reals Lra Lia List ZArith Bool.
From Flocq Require Import Core.
From Limit Require Import Tree Machines Block Formula.
Import ListNotations.
Open Scope R_scope.

Definition real (x : dyadic) := IZR (fst x) * bpow radix2 (snd x).

Lemma real_one : real one = 1.
Proof. unfold real. simpl. lra. Qed.

Lemma real_mul x y : real (mul x y) = real x * real y.
Proof. unfold real, mul. simpl. rewrite mult_IZR, bpow_plus. ring. Qed.

Lemma real_shift m e e' : (e' <= e)%Z -> IZR (m * 2 ^ (e - e')) * bpow radix2 e' = IZR m * bpow radix2 e.
Proof.
  intros H. rewrite mult_IZR, IZR_pow2, Rmult_assoc, <- bpow_plus by lia. f_equal. f_equal. lia.
Qed.

Lemma real_add x y : real (add x y) = real x + real y.
Proof.
  unfold real, add. simpl. rewrite !Z.shiftl_mul_pow2 by lia. rewrite plus_IZR, Rmult_plus_distr_r, !real_shift by lia. reflexivity.
Qed.

Lemma real_opposite x : real (opposite x) = - real x.
Proof. unfold real, opposite. simpl. rewrite opp_IZR. ring. Qed.

Section Adder.
Variables (a : adder) (fmt : format).
Notation p := (prec fmt).
Hypothesis prec_enough : (4 <= p)%Z.

(* u of the text, and what the machines of this adder are. *)
Definition u := bpow radix2 (bits_lost a - p).
Definition lost_product := if may_flush a then normal (emin fmt) p else half_least (emin fmt).
Definition lost_addition := if may_flush a then normal (emin fmt) p else 0.
Definition times := match a with Block => 2%nat | _ => 1%nat end.
Definition product_roundings (rounded : bool) := if rounded || is_block a then 1%nat else 0%nat.
Definition allowed (rounded : bool) (q : R) := if rounded then True else fits p q.

(* One run of a machine with this adder: Ieee rounds to nearest and underflows gradually; Faithful rounds in any direction,
   another for each operation, and may flush what is below the normal numbers; Block aligns and cuts. *)
Definition run (rounded : bool) t :=
  match a with
  | Ieee => computed (nearest (emin fmt) p) (allowed rounded) t
  | Faithful => computed (Machines.may_flush (emin fmt) p) (allowed rounded) t
  | Block => block_computed (one_ulp p) (normal (emin fmt) p) t
  end.

Lemma run_runs rounded t : run rounded t ->
  runs u times (product_roundings rounded) lost_product lost_addition t.
Proof.
  assert (Hd : products_counted p (if rounded then 1 else 0) (allowed rounded)).
  { unfold allowed. destruct rounded; [left; reflexivity | right; auto]. }
  unfold run, u, times, product_roundings, lost_product, lost_addition.
  destruct a; cbn [bits_lost Formula.may_flush is_block]; rewrite ?orb_false_r, ?orb_true_r; intros H.
  - replace (0 - p)%Z with (- p)%Z by lia. apply nearest_runs with (P := allowed rounded); auto. lia.
  - apply flush_runs with (P := allowed rounded); auto. lia.
  - replace (bpow radix2 (2 - p)) with (2 * one_ulp p).
    + apply block_runs; auto; try apply bpow_ge_0. split; [apply bpow_ge_0 |].
      replace (/ 4) with (bpow radix2 (-2)) by (simpl; lra). apply bpow_le. lia.
    + unfold one_ulp. replace (2 - p)%Z with (1 + (1 - p))%Z by lia. rewrite (bpow_plus radix2 1). reflexivity.
Qed.

Variables (rounded : bool) (K : Z).
Hypothesis K_pos : (0 <= K)%Z.
Notation n := (roundings a rounded K).

Lemma n_pos : (0 <= n)%Z.
Proof. unfold roundings. destruct (Z.eqb_spec K 0), a, rounded; cbn [factor is_block orb]; lia. Qed.

(* How often the roundings on the longest way count. *)
Lemma n_counts k : (1 <= k)%nat -> (Z.of_nat k <= K)%Z ->
  (Z.of_nat (times * (k - 1) + product_roundings rounded) <= n)%Z.
Proof.
  intros. unfold roundings, times, product_roundings. destruct (Z.eqb_spec K 0), a, rounded; cbn [factor is_block orb]; lia.
Qed.

Lemma u_per : u * IZR (per_roundoff a fmt) = 1.
Proof.
  unfold u, per_roundoff. rewrite IZR_pow2, <- bpow_plus by (destruct a; simpl; lia).
  replace (bits_lost a - p + (p - bits_lost a))%Z with 0%Z by lia. reflexivity.
Qed.

Lemma ceiling_le m d : (0 < d)%Z -> IZR m / IZR d <= IZR (ceiling m d).
Proof.
  intros H. unfold ceiling. pose proof (Z_mult_div_ge (- m) d ltac:(lia)) as E.
  assert (Hd : 0 < IZR d) by (apply IZR_lt; exact H). apply (Rmult_le_reg_r (IZR d)); [exact Hd |].
  unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r, <- mult_IZR by lra. apply IZR_le. lia.
Qed.

Hypothesis defined : is_defined a fmt rounded K = true.

(* Division upwards: the formula's gamma is not below the text's. *)
Lemma gamma_up m : (Z.of_nat m <= n)%Z -> Tree.gamma u m <= real (plain_gamma a fmt rounded K).
Proof.
  intros Hm. pose proof (proj1 (Z.ltb_lt _ _) defined) as D. pose proof n_pos as Hn. pose proof u_per as Hu.
  assert (Hu0 : 0 < u) by apply bpow_gt_0.
  assert (HU : IZR n < IZR (per_roundoff a fmt)) by (apply IZR_lt; exact D).
  assert (Hmn : INR m <= IZR n) by (rewrite INR_IZR_INZ; apply IZR_le; exact Hm).
  set (U := IZR (per_roundoff a fmt)) in *.
  assert (Hm1 : INR m * u < 1).
  { rewrite <- Hu, Rmult_comm. apply Rmult_lt_compat_l; lra. }
  unfold plain_gamma, real. simpl. set (bits := (p + guard)%Z). rewrite Z.shiftl_mul_pow2 by (unfold bits, guard; lia).
  assert (Hd : (0 < per_roundoff a fmt - n)%Z) by lia.
  pose proof (ceiling_le (n * 2 ^ bits) _ Hd) as HC. rewrite minus_IZR, mult_IZR in HC. fold U in HC.
  rewrite IZR_pow2 in HC by (unfold bits, guard; lia).
  assert (HB : bpow radix2 bits * bpow radix2 (- bits) = 1).
  { rewrite <- bpow_plus. replace (bits + - bits)%Z with 0%Z by lia. reflexivity. }
  pose proof (bpow_gt_0 radix2 (- bits)) as HB0.
  apply (Rmult_le_compat_r (bpow radix2 (- bits))) in HC; [| lra].
  eapply Rle_trans; [| apply HC]. unfold Rdiv. rewrite Rmult_assoc, (Rmult_comm (/ _)), <- Rmult_assoc, (Rmult_assoc (IZR n)), HB, Rmult_1_r.
  unfold Tree.gamma.
  assert (E : INR m * u / (1 - INR m * u) = INR m / (U - INR m)).
  { rewrite <- Hu. field. split; [| lra]. intros E. assert (u * (U - INR m) = 0) by lra.
    apply Rmult_integral in H. lra. }
  rewrite E. unfold Rdiv. apply Rmult_le_compat; [apply pos_INR | left; apply Rinv_0_lt_compat; lra | exact Hmn |].
  apply Rinv_le_contravar; lra.
Qed.

Lemma plain_gamma_up m : (Z.of_nat m <= n)%Z -> (1 + u) ^ m <= 1 + real (plain_gamma a fmt rounded K).
Proof.
  intros Hm. pose proof (gamma_up m Hm). pose proof (proj1 (Z.ltb_lt _ _) defined) as D. pose proof u_per as Hu.
  assert (Hu0 : 0 < u) by apply bpow_gt_0.
  assert (H1 : INR m < IZR (per_roundoff a fmt)) by (rewrite INR_IZR_INZ; apply IZR_lt; lia).
  assert (INR m * u < 1) by (rewrite <- Hu, Rmult_comm; apply Rmult_lt_compat_l; lra).
  pose proof (pow_gamma u m (Rlt_le _ _ Hu0) H0). lra.
Qed.

Lemma plain_gamma_pos : 0 <= real (plain_gamma a fmt rounded K).
Proof. pose proof (plain_gamma_up 0 n_pos). simpl in H. lra. Qed.

Lemma losses k : (Z.of_nat k <= K)%Z ->
  lost_product * INR k + lost_addition * INR (k - 1) <= IZR K * bpow radix2 (lost_exponent a fmt).
Proof.
  intros Hk. apply IZR_le in Hk. rewrite <- INR_IZR_INZ in Hk. pose proof (pos_INR k) as Hk0.
  assert (Hk1 : INR (k - 1) <= INR k) by (apply le_INR; lia).
  unfold lost_product, lost_addition, lost_exponent. destruct (Formula.may_flush a).
  - replace (emin fmt + p)%Z with (1 + (emin fmt + p - 1))%Z by lia. rewrite bpow_plus. fold (normal (emin fmt) p).
    simpl (bpow radix2 1). pose proof (bpow_gt_0 radix2 (emin fmt + p - 1)) as H. fold (normal (emin fmt) p) in H.
    assert (normal (emin fmt) p * INR k <= normal (emin fmt) p * IZR K) by (apply Rmult_le_compat_l; lra).
    assert (normal (emin fmt) p * INR (k - 1) <= normal (emin fmt) p * IZR K) by (apply Rmult_le_compat_l; lra). lra.
  - unfold half_least. pose proof (bpow_gt_0 radix2 (emin fmt - 1)) as H.
    assert (bpow radix2 (emin fmt - 1) * INR k <= bpow radix2 (emin fmt - 1) * IZR K) by (apply Rmult_le_compat_l; lra). lra.
Qed.

Lemma reach_le k S : (1 <= k)%nat -> (Z.of_nat k <= K)%Z -> 0 <= S ->
  let g := real (plain_gamma a fmt rounded K) in
  reach u times (product_roundings rounded) lost_product lost_addition k S <=
  g * S + (1 + g) * (IZR K * bpow radix2 (lost_exponent a fmt)).
Proof.
  intros Hk HK HS g. unfold reach. pose proof (n_counts k Hk HK) as Hn.
  pose proof (plain_gamma_up _ Hn) as H1. fold g in H1.
  assert (H2 : (1 + u) ^ (times * (k - 1)) <= 1 + g).
  { apply plain_gamma_up. lia. }
  pose proof (losses k HK) as H3.
  assert (0 <= lost_product * INR k + lost_addition * INR (k - 1)).
  { unfold lost_product, lost_addition. destruct (Formula.may_flush a);
      apply Rplus_le_le_0_compat; apply Rmult_le_pos; try apply pos_INR; try apply bpow_ge_0; lra. }
  apply Rplus_le_compat; [apply Rmult_le_compat_r; lra |]. apply Rmult_le_compat; try lra.
  pose proof (pow_ge_1 u (Rlt_le _ _ (bpow_gt_0 _ _)) (times * (k - 1))). lra.
Qed.

(* Any order, from the operands as they are multiplied. *)
Theorem limit_of_runs t :
  runs u times (product_roundings rounded) lost_product lost_addition t -> (Z.of_nat (terms t) <= K)%Z ->
  let g := real (plain_gamma a fmt rounded K) in
  Rabs (value t - exact t) <= g * mag t + (1 + g) * (IZR K * bpow radix2 (lost_exponent a fmt)).
Proof.
  intros HR HK g. pose proof plain_gamma_pos as Hg. fold g in Hg.
  destruct (Nat.eq_dec (terms t) 0) as [E | E].
  - destruct (dead_value _ _ _ _ _ t HR E) as (-> & -> & ->). rewrite Rminus_eq_0, Rabs_R0.
    assert (0 <= (1 + g) * (IZR K * bpow radix2 (lost_exponent a fmt))); [| lra].
    apply Rmult_le_pos; [lra |]. apply Rmult_le_pos; [apply IZR_le; lia | apply bpow_ge_0].
  - assert (Hp : 0 <= lost_product) by (unfold lost_product; destruct (Formula.may_flush a); apply bpow_ge_0).
    assert (Ha : 0 <= lost_addition).
    { unfold lost_addition. destruct (Formula.may_flush a); [apply bpow_ge_0 | lra]. }
    eapply Rle_trans; [exact (any_order _ _ _ _ _ (bpow_ge_0 _ _) Hp Ha t HR) |].
    apply reach_le; [lia | exact HK | apply mag_nonneg].
Qed.
Corollary limit_of_run t : run rounded t -> (Z.of_nat (terms t) <= K)%Z ->
  let g := real (plain_gamma a fmt rounded K) in
  Rabs (value t - exact t) <= g * mag t + (1 + g) * (IZR K * bpow radix2 (lost_exponent a fmt)).
Proof. intros H. apply limit_of_runs, run_runs, H. Qed.
End Adder.
