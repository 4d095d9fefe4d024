(* The exact grid: where S is at most 2^p units of the products, nothing rounds in any order, so equality is demanded. *)
From Coq Require Import Reals Lra Lia List ZArith Bool.
From Flocq Require Import Core.
From Limit Require Import Tree Machines Block Formula Bound Limit.
Import ListNotations.
Open Scope R_scope.

Section Grid.
Variables (emin p q : Z).  (* q: every product is a multiple of 2^q *)
Hypothesis p_pos : (1 < p)%Z.
Hypothesis q_low : (emin <= q)%Z.
Notation F := (generic_format radix2 (FLT_exp emin p)).
Instance p_gt_0 : Prec_gt_0 p.
Proof. unfold Prec_gt_0. lia. Qed.

(* On the grid: a whole number of units, at most 2^p of them. *)
Lemma on_grid x : multiple q x -> Rabs x <= bpow radix2 (q + p) -> F x.
Proof.
  intros (m & ->) H. assert (Hm : (Z.abs m <= 2 ^ p)%Z).
  { apply le_IZR. rewrite abs_IZR, IZR_pow2 by lia. rewrite Rabs_mult, (Rabs_pos_eq (bpow radix2 q)) in H by apply bpow_ge_0.
    apply (Rmult_le_reg_r (bpow radix2 q)); [apply bpow_gt_0 |]. rewrite <- bpow_plus. rewrite Zplus_comm. exact H. }
  destruct (Z_lt_le_dec (Z.abs m) (2 ^ p)); [apply multiple_format; lia |].
  assert (E : m = (2 ^ p)%Z \/ m = (- 2 ^ p)%Z) by lia.
  assert (HF : F (IZR (2 ^ p) * bpow radix2 q)).
  { rewrite IZR_pow2, <- bpow_plus by lia. apply generic_format_bpow. unfold FLT_exp. lia. }
  destruct E as [-> | ->]; [exact HF |]. rewrite opp_IZR, Ropp_mult_distr_l_reverse. apply generic_format_opp. exact HF.
Qed.

(* What any adder does with parts that it need not cut and a sum that is a number: the sum. A block adder cuts at
   2^(e + 1 - p), where 2^e is at most the largest part. *)
Definition keeps (l : list (R * bool)) v :=
  F (total l) -> (forall e x, bpow radix2 e <= largest l -> In x l -> multiple (e + 1 - p) (fst x)) -> v = total l.

Fixpoint kept t : Prop :=
  match t with
  | Leaf _ x v => v = x \/ keeps [(x, true)] v
  | Node v ts => kept_of ts /\ keeps (live ts) v
  end
with kept_of ts := match ts with Nil => True | More t ts => kept t /\ kept_of ts end.

Lemma multiple_finer e e' x : (e' <= e)%Z -> multiple e x -> multiple e' x.
Proof.
  intros H (m & ->). exists (m * 2 ^ (e - e'))%Z. symmetry. apply real_shift. exact H.
Qed.

Definition all_multiples (l : list (R * bool)) := forall x, In x l -> multiple q (fst x).

Lemma multiple_at_least x : multiple q x -> x <> 0 -> bpow radix2 q <= Rabs x.
Proof.
  intros (m & ->) H. rewrite Rabs_mult, (Rabs_pos_eq (bpow radix2 q)), <- abs_IZR by apply bpow_ge_0.
  rewrite <- (Rmult_1_l (bpow radix2 q)) at 1. apply Rmult_le_compat_r; [apply bpow_ge_0 |]. apply (IZR_le 1).
  assert (m <> 0%Z) by (intros ->; apply H; ring). lia.
Qed.

Lemma in_le_abs l x : In x l -> Rabs (fst x) <= total_abs l.
Proof.
  induction l as [| y l IH]; simpl; [tauto |]. pose proof (total_abs_pos l). pose proof (Rabs_pos (fst y)).
  intros [-> | H1]; [lra |]. specialize (IH H1). lra.
Qed.

Lemma largest_in l : largest l = 0 \/ exists x, In x l /\ Rabs (fst x) = largest l.
Proof.
  induction l as [| (y, c) l IH]; simpl; [auto |]. unfold Rmax. destruct (Rle_dec (Rabs y) (largest l)).
  - destruct IH as [-> | (x & Hx & E)]; [auto | right; eauto].
  - right. exists (y, c). auto.
Qed.

(* Two parts that are not zero make the sum of magnitudes larger than each by a unit. *)
Lemma others_are_zero l x y : In x l -> In y l -> Rabs (fst x) = total_abs l -> fst y = 0 \/ Rabs (fst y) = total_abs l.
Proof.
  induction l as [| z l IH]; simpl; [tauto |]. pose proof (total_abs_pos l). pose proof (Rabs_pos (fst z)).
  intros [-> | Hx] [-> | Hy] E; auto.
  - left. pose proof (in_le_abs l y Hy). pose proof (Rabs_pos (fst y)).
    destruct (Req_dec (fst y) 0); [assumption |]. pose proof (Rabs_pos_lt _ H3). lra.
  - left. pose proof (in_le_abs l x Hx). destruct (Req_dec (fst y) 0); [assumption |]. pose proof (Rabs_pos_lt _ H2). lra.
  - pose proof (in_le_abs l x Hx). assert (Ez : Rabs (fst z) = 0) by lra.
    destruct (IH Hx Hy ltac:(lra)); [auto | right; lra].
Qed.

Lemma nothing_cut l : all_multiples l -> total_abs l <= bpow radix2 (q + p) ->
  forall e x, bpow radix2 e <= largest l -> In x l -> multiple (e + 1 - p) (fst x).
Proof.
  intros Hm Hl e x He Hx. pose proof (largest_le l) as HL.
  destruct (Z_lt_le_dec e (q + p)) as [H | H].
  - apply multiple_finer with q; [lia | apply Hm; exact Hx].
  - assert (E : bpow radix2 (q + p) <= bpow radix2 e) by (apply bpow_le; exact H).
    assert (Et : total_abs l = bpow radix2 (q + p) /\ largest l = bpow radix2 (q + p) /\ bpow radix2 e = bpow radix2 (q + p)) by lra.
    destruct Et as (Et & El & Ee). apply bpow_inj in Ee. subst e.
    destruct (largest_in l) as [E0 | (y & Hy & Ey)]; [pose proof (bpow_gt_0 radix2 (q + p)); lra |].
    destruct (others_are_zero l y x Hy Hx ltac:(lra)) as [-> | Ex]; [apply multiple_0 |].
    replace (q + p + 1 - p)%Z with (q + 1)%Z by lia. rewrite Et in Ex.
    assert (HP : multiple (q + 1) (bpow radix2 (q + p))).
    { exists (2 ^ (p - 1))%Z. rewrite IZR_pow2, <- bpow_plus by lia. f_equal. lia. }
    destruct (Rcase_abs (fst x)) as [N | N].
    + rewrite Rabs_left in Ex by lra. destruct HP as (m & HP). exists (- m)%Z. rewrite opp_IZR. lra.
    + rewrite Rabs_right in Ex by lra. rewrite Ex. exact HP.
Qed.

Lemma kept_exact l v : keeps l v -> all_multiples l -> total_abs l <= bpow radix2 (q + p) -> v = total l.
Proof.
  intros H Hm Hl. apply H.
  - apply on_grid; [| eapply Rle_trans; [apply total_le_abs | exact Hl]].
    clear - Hm. induction l as [| x l IH]; simpl; [apply multiple_0 |].
    apply multiple_plus; [apply Hm; left; reflexivity | apply IH; intros y Hy; apply Hm; right; exact Hy].
  - apply nothing_cut; auto.
Qed.

Definition on_units (ps : list R) := forall x, In x ps -> multiple q x.

Lemma exact_both :
  (forall t, kept t -> on_units (leaves t) -> mag t <= bpow radix2 (q + p) -> value t = exact t /\ multiple q (exact t)) /\
  (forall ts, kept_of ts -> on_units (leaves_of ts) -> mag_of ts <= bpow radix2 (q + p) ->
     total (live ts) = exact_of ts /\ all_multiples (live ts) /\ total_abs (live ts) <= mag_of ts /\ multiple q (exact_of ts)).
Proof.
  apply trees_induction; simpl.
  - intros r x v H Hu HM. assert (Hx : multiple q x) by (apply Hu; left; reflexivity). split; [| exact Hx].
    destruct H as [H | H]; [exact H |]. rewrite (kept_exact _ _ H); simpl; try lra.
    intros y [<- | []]. exact Hx.
  - intros v ts IH (Hts & H) Hu HM. destruct (IH Hts Hu HM) as (E & Hm & Ha & Hq). split; [| exact Hq].
    rewrite <- E. apply kept_exact; auto. lra.
  - intros _ _ _. repeat split; try lra; [intros x [] | apply multiple_0].
  - intros t IHt ts IHts (Ht & Hts) Hu HM. pose proof (proj1 mag_nonneg t). pose proof (proj2 mag_nonneg ts).
    destruct (IHt Ht) as (Ev & Hq); [intros x Hx; apply Hu, in_or_app; auto | lra |].
    destruct (IHts Hts) as (E & Hm & Ha & Hqs); [intros x Hx; apply Hu, in_or_app; auto | lra |].
    assert (Hsum : multiple q (exact t + exact_of ts)) by (apply multiple_plus; auto).
    destruct (Nat.eqb_spec (terms t) 0) as [Z | Z].
    + destruct (proj1 (dead 0 0 0 0 0) t Z) as (E1 & _). rewrite E1. repeat split; auto; try lra. rewrite <- E1. exact Hsum.
    + simpl. rewrite E, Ev. repeat split; auto.
      * intros x [<- | Hx]; [exact Hq | apply Hm; exact Hx].
      * pose proof (proj1 exact_le_mag t). lra.
Qed.

(* Every partial sum in every order is exact: the theorem holds for each subtree, whose S is not larger. *)
Theorem exact_in_every_order t : kept t -> on_units (leaves t) -> mag t <= bpow radix2 (q + p) -> value t = exact t.
Proof. intros. apply exact_both; auto. Qed.

(* Rounding in any direction keeps numbers; so does one that flushes, where no multiple of the unit is subnormal. *)
Lemma faithful_keeps l v : faithful emin p (total l) v -> keeps l v.
Proof. intros (rnd & Hr & ->) HF _. apply round_generic; auto. Qed.

Lemma flush_keeps l v : (emin + p - 1 <= q)%Z -> all_multiples l -> Machines.may_flush emin p (total l) v -> keeps l v.
Proof.
  intros Hq Hm [H | (Hx & ->)] HF Hc; [apply (faithful_keeps l v H HF Hc) |].
  destruct (Req_dec (total l) 0) as [E | E]; [auto | exfalso].
  assert (HT : multiple q (total l)).
  { clear - Hm. induction l as [| x l IH]; simpl; [apply multiple_0 |].
    apply multiple_plus; [apply Hm; left; reflexivity | apply IH; intros y Hy; apply Hm; right; exact Hy]. }
  pose proof (multiple_at_least _ HT E). assert (normal emin p <= bpow radix2 q) by (apply bpow_le; exact Hq). lra.
Qed.
End Grid.

(* The planner's condition, from the extents alone: |a| < 2^l and |b| < 2^r units, [longest] products. *)
Lemma width_covers n : (0 <= n)%Z -> (n < 2 ^ (if n =? 0 then 0 else Z.log2 n + 1))%Z.
Proof. intros H. destruct (Z.eqb_spec n 0); [subst; reflexivity |]. apply Z.log2_spec. lia. Qed.

Theorem every_sum_is_exact_S a fmt emax unit has_subnormals left_bits right_bits longest ps :
  (1 < prec fmt)%Z -> (0 <= longest)%Z -> (Z.of_nat (length ps) <= longest)%Z -> (0 <= left_bits + right_bits)%Z ->
  (forall x, In x ps -> Rabs x <= bpow radix2 (left_bits + right_bits + unit)) ->
  every_sum_is_exact a fmt emax unit has_subnormals left_bits right_bits longest = true ->
  sum_abs ps <= bpow radix2 (unit + prec fmt) /\ (emin fmt <= unit)%Z /\ (unit + prec fmt <= emax - 1)%Z /\
  (Formula.may_flush a = true -> (emin fmt + prec fmt - 1 <= unit)%Z /\ has_subnormals = false).
Proof.
  intros Hp Hl Hlen Hb Hps H. unfold every_sum_is_exact, grid_fits in H. pose proof (width_covers longest Hl) as HW.
  set (w := if (longest =? 0)%Z then 0%Z else (Z.log2 longest + 1)%Z) in *.
  assert (Hw : (0 <= w)%Z) by (unfold w; destruct (longest =? 0)%Z; [lia | pose proof (Z.log2_nonneg longest); lia]).
  apply andb_prop in H. destruct H as (H & H2). apply andb_prop in H. destruct H as (H0 & H1).
  apply Z.leb_le in H2, H0. repeat split.
  - set (c := (left_bits + right_bits + unit)%Z) in *.
    assert (E : sum_abs ps <= INR (length ps) * bpow radix2 c).
    { clear - Hps. induction ps as [| x ps IH]; [simpl; lra |]. cbn [sum_abs fold_right length]. fold (sum_abs ps).
      rewrite S_INR. assert (Rabs x <= bpow radix2 c) by (apply Hps; left; reflexivity).
      assert (sum_abs ps <= INR (length ps) * bpow radix2 c) by (apply IH; intros y Hy; apply Hps; right; exact Hy). lra. }
    eapply Rle_trans; [apply E |]. rewrite INR_IZR_INZ.
    apply Rle_trans with (IZR (2 ^ w) * bpow radix2 c).
    + apply Rmult_le_compat_r; [apply bpow_ge_0 | apply IZR_le; lia].
    + rewrite IZR_pow2, <- bpow_plus by exact Hw. apply bpow_le. unfold c. lia.
  - destruct (Formula.may_flush a); [| apply Z.leb_le in H1; exact H1].
    apply andb_prop in H1. destruct H1 as (H1 & _). apply Z.leb_le in H1.
    lia.
  - lia.
  - rewrite H in H1. apply andb_prop in H1. destruct H1 as (H1 & _). apply Z.leb_le in H1. lia.
  - rewrite H in H1. apply andb_prop in H1. destruct H1 as (_ & H1). destruct has_subnormals; [discriminate | reflexivity].
Qed.
