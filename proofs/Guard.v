(* Why ElementJudge::may_overflow may leave underflow out: what it asks, (1 + gamma) S < 2^emax, suffices. *)
From Coq Require Import Reals Lra Lia List ZArith Bool.
From Flocq Require Import Core.
From Limit Require Import Tree Machines Block Formula Bound Limit Results.
Import ListNotations.
Open Scope R_scope.

(* ((1 + u)^n + u^2) (1 - n u) <= 1: gamma_n exceeds what n roundings can do by u^2 at least. *)
Lemma gamma_spare u n : 0 <= u -> (1 <= n)%nat -> INR n * u < 1 -> (1 + u) ^ n + u * u <= 1 + Tree.gamma u n.
Proof.
  intros Hu Hn H.
  assert (A : forall k, (1 <= k)%nat -> INR k * u < 1 -> (1 + u) ^ k * (1 - INR k * u) <= 1 - u * u).
  { induction k as [| k IH]; [lia |]. intros _ Hk. rewrite S_INR in *. simpl pow.
    assert (0 <= INR k) by apply pos_INR. assert (0 < (1 + u) ^ k) by (apply pow_lt; lra).
    destruct (Nat.eq_dec k 0) as [-> | N]; [simpl; lra |].
    specialize (IH ltac:(lia) ltac:(lra)).
    assert (0 <= (1 + u) ^ k * ((INR k + 1) * u * u)).
    { apply Rmult_le_pos; [lra |]. apply Rmult_le_pos; [apply Rmult_le_pos; lra | lra]. }
    lra. }
  specialize (A n Hn H). unfold Tree.gamma.
  replace (1 + INR n * u / (1 - INR n * u)) with (1 / (1 - INR n * u)) by (field; lra).
  apply (Rmult_le_reg_r (1 - INR n * u)); [lra |]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
  assert (0 <= u * u * (INR n * u)) by (apply Rmult_le_pos; [apply Rmult_le_pos; lra | apply Rmult_le_pos; [apply pos_INR | lra]]).
  lra.
Qed.

Lemma pow_le_3 u n : 0 <= u -> INR n * u <= 1 -> (1 + u) ^ n <= 3.
Proof.
  intros Hu H. assert (E : forall k, (1 + u) ^ k <= exp (INR k * u)).
  { induction k as [| k IH]; [simpl; rewrite Rmult_0_l, exp_0; lra |]. rewrite S_INR.
    replace ((INR k + 1) * u) with (u + INR k * u) by ring. rewrite exp_plus. simpl pow. apply Rmult_le_compat; [lra | apply pow_le; lra | | exact IH].
    destruct (Req_dec u 0) as [-> | N]; [rewrite exp_0; lra | left; apply exp_ineq1; lra]. }
  eapply Rle_trans; [apply E |]. eapply Rle_trans; [| apply exp_le_3].
  destruct H as [H | ->]; [left; apply exp_increasing; exact H | lra].
Qed.

Section Guard.
Variables (a : adder) (fmt : format) (rounded : bool) (K emax : Z) (M : R).
Notation p := (prec fmt).
Hypothesis prec_enough : (4 <= p)%Z.
Hypothesis K_pos : (0 <= K)%Z.
Hypothesis defined : is_defined a fmt rounded K = true.
Hypothesis wide : (4 + emin fmt + 4 * p <= emax)%Z.
Hypothesis rounds : (1 <= roundings a rounded K)%Z.
Hypothesis guard : (1 + real (plain_gamma a fmt rounded K)) * M < bpow radix2 emax.
Notation u := (Bound.u a fmt).
Notation A := (IZR K * bpow radix2 (lost_exponent a fmt)).
Notation n := (Z.to_nat (roundings a rounded K)).

Lemma u_bounds : 0 < u <= 1 /\ INR n * u < 1 /\ IZR K * u <= 1 /\ / u = IZR (per_roundoff a fmt).
Proof.
  pose proof (u_per a fmt prec_enough) as Hu. assert (U0 : 0 < u) by apply bpow_gt_0.
  apply Z.ltb_lt in defined. assert (HK : (K <= per_roundoff a fmt)%Z).
  { revert defined. unfold roundings. destruct (Z.eqb_spec K 0), a, rounded; cbn [factor is_block orb]; lia. }
  assert (H1 : INR n < IZR (per_roundoff a fmt)) by (rewrite INR_IZR_INZ, Z2Nat.id by lia; apply IZR_lt; exact defined).
  apply IZR_le in HK. set (U := IZR (per_roundoff a fmt)) in *.
  assert (E : / u = U) by (apply (Rmult_eq_reg_l u); [rewrite Rinv_r, Hu; lra | lra]).
  repeat split; try exact E; try exact U0.
  - unfold Bound.u. replace 1 with (bpow radix2 0) by reflexivity. apply bpow_le. destruct a; cbn [bits_lost]; lia.
  - rewrite <- Hu, Rmult_comm. apply Rmult_lt_compat_l; lra.
  - rewrite <- Hu, Rmult_comm. apply Rmult_le_compat_l; lra.
Qed.

(* What underflow adds fits into what gamma_n has to spare. *)
Lemma guard_sum : 0 <= M -> (1 + u) ^ n * (M + A) < bpow radix2 emax.
Proof.
  intros HM. destruct u_bounds as ((U0 & U1) & Hn & HK & HU).
  assert (HG : (1 + u) ^ n + u * u <= 1 + Tree.gamma u n) by (apply gamma_spare; [lra | lia | exact Hn]).
  assert (HG3 : (1 + u) ^ n <= 3) by (apply pow_le_3; lra).
  assert (HG1 : 1 <= (1 + u) ^ n) by (apply pow_R1_Rle; lra).
  assert (Hg : Tree.gamma u n <= real (plain_gamma a fmt rounded K)).
  { apply gamma_up; auto. rewrite Z2Nat.id; lia. }
  assert (HA : 0 <= A) by (apply Rmult_le_pos; [apply IZR_le; exact K_pos | apply bpow_ge_0]).
  set (G := (1 + u) ^ n) in *. set (g := real (plain_gamma a fmt rounded K)) in *.
  destruct (Rle_lt_dec (G * A) (u * u * M)) as [H | H].
  - apply Rle_lt_trans with ((1 + g) * M); [| exact guard].
    assert ((G + u * u) * M <= (1 + g) * M) by (apply Rmult_le_compat_r; lra). lra.
  - assert (HUU : 0 < u * u) by (apply Rmult_lt_0_compat; exact U0).
    assert (H3 : G * A <= 3 * A) by (apply Rmult_le_compat_r; lra).
    assert (HMu : u * u * M < 3 * A) by lra.
    assert (Huu1 : u * u <= 1) by (assert (u * u <= 1 * 1) by (apply Rmult_le_compat; lra); lra).
    assert (H4 : u * u * (G * (M + A)) <= 3 * (u * u * M + A)).
    { assert (u * u * A <= 1 * A) by (apply Rmult_le_compat_r; lra).
      assert (G * (u * u * M + u * u * A) <= 3 * (u * u * M + A)).
      { apply Rmult_le_compat; try lra. apply Rplus_le_le_0_compat; apply Rmult_le_pos; lra. }
      lra. }
    assert (H5 : u * u * (G * (M + A)) < 16 * A \/ A = 0) by (destruct HA as [HA | HA]; [left | right]; lra).
    destruct H5 as [H5 | H5].
    + assert (HB : 16 * A <= u * u * bpow radix2 emax).
      { assert (Hl : bpow radix2 (lost_exponent a fmt) <= bpow radix2 (emin fmt + p)).
        { apply bpow_le. unfold lost_exponent. destruct (Formula.may_flush a); lia. }
        assert (16 * bpow radix2 (emin fmt + p) <= u * u * u * bpow radix2 emax).
        { unfold Bound.u. replace 16 with (bpow radix2 4) by (simpl; lra). rewrite <- !bpow_plus. apply bpow_le. destruct a; cbn [bits_lost]; lia. }
        assert (H6 : u * (16 * A) <= u * (u * u * bpow radix2 emax)).
        { apply Rle_trans with (16 * bpow radix2 (emin fmt + p)); [| lra].
          replace (u * (16 * A)) with (16 * ((IZR K * u) * bpow radix2 (lost_exponent a fmt))) by ring.
          apply Rmult_le_compat_l; [lra |]. rewrite <- (Rmult_1_l (bpow radix2 (emin fmt + p))).
          apply Rmult_le_compat; [apply Rmult_le_pos; [apply IZR_le; exact K_pos | lra] | apply bpow_ge_0 | exact HK | exact Hl]. }
        apply (Rmult_le_reg_l u); [exact U0 | lra]. }
      apply (Rmult_lt_reg_l (u * u)); [exact HUU | lra].
    + rewrite H5 in *. assert (0 <= u * u * M) by (apply Rmult_le_pos; lra). lra.
Qed.
Lemma one_sum t : runs u (times a) (product_roundings a rounded) (lost_product a fmt) (lost_addition a fmt) t ->
  small K M t -> Rabs (value t) < bpow radix2 emax.
Proof.
  intros HR (Hk & HM). pose proof (proj1 mag_nonneg t) as H0. pose proof (guard_sum ltac:(lra)) as HG.
  destruct u_bounds as ((U0 & _) & _). assert (G1 : forall k, 1 <= (1 + u) ^ k) by (intros; apply pow_R1_Rle; lra).
  assert (Hp : 0 <= lost_product a fmt) by (unfold lost_product; destruct (Formula.may_flush a); apply bpow_ge_0).
  assert (Ha : 0 <= lost_addition a fmt) by (unfold lost_addition; destruct (Formula.may_flush a); [apply bpow_ge_0 | lra]).
  destruct (Nat.eq_dec (terms t) 0) as [E | E].
  - destruct (dead_value _ _ _ _ _ t HR E) as (-> & _). rewrite Rabs_R0. apply bpow_gt_0.
  - eapply Rle_lt_trans; [| exact HG].
    pose proof (any_order _ _ _ _ _ (Rlt_le _ _ U0) Hp Ha t HR) as H. unfold reach in H.
    pose proof (losses a fmt K (terms t) Hk) as HL. pose proof (proj1 exact_le_mag t) as HE.
    pose proof (n_counts a rounded K K_pos (terms t) ltac:(lia) Hk) as HN.
    assert (P1 : (1 + u) ^ (times a * (terms t - 1) + product_roundings a rounded) <= (1 + u) ^ n) by (apply Rle_pow; [lra | lia]).
    assert (P2 : (1 + u) ^ (times a * (terms t - 1)) <= (1 + u) ^ n) by (apply Rle_pow; [lra | lia]).
    assert (L0 : 0 <= lost_product a fmt * INR (terms t) + lost_addition a fmt * INR (terms t - 1))
      by (apply Rplus_le_le_0_compat; apply Rmult_le_pos; auto; apply pos_INR).
    assert (Rabs (value t) <= Rabs (value t - exact t) + Rabs (exact t)).
    { replace (value t) with ((value t - exact t) + exact t) at 1 by ring. apply Rabs_triang. }
    assert ((1 + u) ^ (times a * (terms t - 1) + product_roundings a rounded) * mag t <= (1 + u) ^ n * M)
      by (apply Rmult_le_compat; try lra; pose proof (G1 (times a * (terms t - 1) + product_roundings a rounded)%nat); lra).
    assert ((1 + u) ^ (times a * (terms t - 1)) * (lost_product a fmt * INR (terms t) + lost_addition a fmt * INR (terms t - 1))
            <= (1 + u) ^ n * A)
      by (apply Rmult_le_compat; try lra; pose proof (G1 (times a * (terms t - 1))%nat); lra).
    lra.
Qed.

(* No partial sum of any order reaches 2^emax. *)
Theorem guard_suffices t : run a fmt rounded t -> small K M t -> everywhere (fun t => Rabs (value t) < bpow radix2 emax) t.
Proof.
  intros H. apply (run_runs a fmt prec_enough) in H. revert H.
  assert (E : (forall t, runs u (times a) (product_roundings a rounded) (lost_product a fmt) (lost_addition a fmt) t -> small K M t ->
                 everywhere (fun t => Rabs (value t) < bpow radix2 emax) t) /\
              (forall ts, runs_of u (times a) (product_roundings a rounded) (lost_product a fmt) (lost_addition a fmt) ts ->
                 (Z.of_nat (terms_of ts) <= K)%Z -> mag_of ts <= M -> everywhere_of (fun t => Rabs (value t) < bpow radix2 emax) ts)).
  { apply trees_induction; intros.
    - split; [apply one_sum; assumption | exact I].
    - split; [apply one_sum; assumption |]. destruct H0 as (Hts & _), H1 as (H1 & H2). apply H; assumption.
    - exact I.
    - simpl in *. pose proof (proj1 mag_nonneg t0). pose proof (proj2 mag_nonneg ts). destruct H1 as (Ht & Hts).
      split; [apply H; [exact Ht | split; [lia | lra]] | apply H0; [exact Hts | lia | lra]]. }
  apply E.
Qed.
End Guard.

(* FLOAT and DOUBLE are wide enough. *)
Lemma float_is_wide : (4 + emin float + 4 * prec float <= 128)%Z /\ (4 + emin double + 4 * prec double <= 1024)%Z.
Proof. split; discriminate. Qed.
