(* What real adders do is what Tree.v asks for: rounding to nearest with gradual underflow, faithful rounding that may flush,
   block adders that cut their addends. Numbers are Flocq's, of any precision and any lowest exponent, without a largest one:
   see [no_overflow] in Bound.v. *)
From Coq Require Import Reals Lra Lia List ZArith.
From Flocq Require Import Core Relative.
From Limit Require Import Tree.
Import ListNotations.
Open Scope R_scope.

(* Whole multiples of 2^e. *)
Definition multiple (e : Z) (x : R) := exists m : Z, x = IZR m * bpow radix2 e.

Lemma multiple_plus e x y : multiple e x -> multiple e y -> multiple e (x + y).
Proof. intros (m & ->) (n & ->). exists (m + n)%Z. rewrite plus_IZR. ring. Qed.

Lemma multiple_0 e : multiple e 0.
Proof. exists 0%Z. ring. Qed.

Lemma IZR_pow2 e : (0 <= e)%Z -> IZR (2 ^ e) = bpow radix2 e.
Proof. intros H. exact (IZR_Zpower radix2 e H). Qed.

Section Format.
Variables (emin prec : Z).
Hypothesis prec_pos : (1 < prec)%Z.
Notation fexp := (FLT_exp emin prec).
Notation F := (generic_format radix2 fexp).
Instance prec_gt_0 : Prec_gt_0 prec.
Proof. unfold Prec_gt_0. lia. Qed.

Definition nearest x v := exists choice, v = round radix2 fexp (Znearest choice) x.
Definition faithful x v := exists rnd, Valid_rnd rnd /\ v = round radix2 fexp rnd x.
Definition normal := bpow radix2 (emin + prec - 1).  (* the smallest normal number *)
Definition may_flush x v := faithful x v \/ (Rabs x < normal /\ v = 0).

Definition half_ulp := bpow radix2 (- prec).
Definition one_ulp := bpow radix2 (1 - prec).
Definition half_least := bpow radix2 (emin - 1).

(* Products of two operands whose precisions add up to no more than that of the sums. *)
Definition fits p := exists m e, (Z.abs m < 2 ^ prec)%Z /\ p = IZR m * bpow radix2 e.
Definition any (p : R) := True.

Lemma bpow_half e : / 2 * bpow radix2 e = bpow radix2 (e - 1).
Proof. unfold Zminus. rewrite bpow_plus. simpl. lra. Qed.

Lemma multiple_format m e : (emin <= e)%Z -> (Z.abs m < 2 ^ prec)%Z -> F (IZR m * bpow radix2 e).
Proof.
  intros He Hm. apply generic_format_FLT. exists (Float radix2 m e); [reflexivity | exact Hm | exact He].
Qed.

Lemma format_multiple x : F x -> multiple emin x.
Proof.
  intros H. apply generic_format_FIX_FLT, FIX_format_generic in H. destruct H as [[m e] -> He]. simpl in He. subst e.
  exists m. reflexivity.
Qed.

(* Below the normal numbers every multiple of the least one is a number. *)
Lemma small_multiple x : multiple emin x -> Rabs x < normal -> F x.
Proof.
  intros (m & ->) H. apply multiple_format; [lia |]. apply lt_IZR. rewrite abs_IZR, IZR_pow2 by lia.
  rewrite Rabs_mult, (Rabs_pos_eq (bpow radix2 emin)) in H by apply bpow_ge_0.
  apply Rlt_trans with (bpow radix2 (prec - 1)).
  - apply (Rmult_lt_reg_r (bpow radix2 emin)); [apply bpow_gt_0 |]. rewrite <- bpow_plus.
    eapply Rlt_le_trans; [apply H |]. apply bpow_le. lia.
  - apply bpow_lt. lia.
Qed.

Lemma fits_small p : fits p -> F p \/ Rabs p < normal.
Proof.
  intros (m & e & Hm & ->). destruct (Z_le_gt_dec emin e); [left; apply multiple_format; lia | right].
  rewrite Rabs_mult, (Rabs_pos_eq (bpow radix2 e)), <- abs_IZR by apply bpow_ge_0.
  apply IZR_lt in Hm. rewrite IZR_pow2 in Hm by lia.
  apply Rlt_le_trans with (bpow radix2 prec * bpow radix2 e).
  - apply Rmult_lt_compat_r; [apply bpow_gt_0 | exact Hm].
  - rewrite <- bpow_plus. apply bpow_le. lia.
Qed.

Lemma error_small rnd x : Valid_rnd rnd -> Rabs x < normal ->
  Rabs (round radix2 fexp rnd x - x) <= bpow radix2 emin.
Proof.
  intros Hr H. eapply Rle_trans; [apply error_le_ulp; auto with typeclass_instances |]. rewrite ulp_FLT_small; [lra | |].
  - apply prec_gt_0.
  - eapply Rlt_le_trans; [apply H | apply bpow_le; lia].
Qed.

(* To nearest: u = 2^-p, and half the least number for a product alone. *)
Lemma nearest_product p v : nearest p v -> Rabs (v - p) <= half_ulp * Rabs p + half_least.
Proof.
  intros (choice & ->). destruct (error_N_FLT radix2 emin prec ltac:(lia) choice p) as (eps & eta & He & Ht & _ & ->).
  rewrite bpow_half in He, Ht. replace (- prec + 1 - 1)%Z with (- prec)%Z in He by lia.
  replace (p * (1 + eps) + eta - p) with (eps * p + eta) by ring.
  eapply Rle_trans; [apply Rabs_triang |]. rewrite Rabs_mult.
  apply Rplus_le_compat; [apply Rmult_le_compat_r; [apply Rabs_pos | exact He] | exact Ht].
Qed.

Lemma nearest_fitting p v : fits p -> nearest p v -> Rabs (v - p) <= half_least.
Proof.
  intros Hp (choice & ->). destruct (fits_small p Hp) as [H | H].
  - rewrite round_generic, Rminus_eq_0, Rabs_R0; auto with typeclass_instances. apply bpow_ge_0.
  - eapply Rle_trans; [apply error_le_half_ulp; auto with typeclass_instances |]. rewrite ulp_FLT_small.
    + rewrite bpow_half. apply Rle_refl.
    + apply prec_gt_0.
    + eapply Rlt_le_trans; [apply H | apply bpow_le; lia].
Qed.

(* A sum of numbers loses nothing to gradual underflow (Hauser 1996). *)
Lemma nearest_sum x v : multiple emin x -> nearest x v -> Rabs (v - x) <= half_ulp * Rabs x.
Proof.
  intros Hx (choice & ->). destruct (Rle_lt_dec normal (Rabs x)) as [H | H].
  - pose proof (relative_error_N_FLT radix2 emin prec ltac:(lia) choice x H) as E. rewrite bpow_half in E.
    replace (- prec + 1 - 1)%Z with (- prec)%Z in E by lia. exact E.
  - rewrite round_generic, Rminus_eq_0, Rabs_R0; auto with typeclass_instances.
    + apply Rmult_le_pos; [apply bpow_ge_0 | apply Rabs_pos].
    + apply small_multiple; auto.
Qed.

(* Faithful: u = 2^(1-p), and the smallest normal number for every operation that may flush. *)
Lemma flush_any x v : may_flush x v -> Rabs (v - x) <= one_ulp * Rabs x + normal.
Proof.
  assert (0 <= one_ulp * Rabs x) by (apply Rmult_le_pos; [apply bpow_ge_0 | apply Rabs_pos]).
  intros [(rnd & Hr & ->) | (Hx & ->)].
  - destruct (Rle_lt_dec normal (Rabs x)) as [Hx | Hx].
    + pose proof (relative_error_FLT radix2 emin prec ltac:(lia) rnd x Hx) as E.
      replace (- prec + 1)%Z with (1 - prec)%Z in E by lia. fold one_ulp in E.
      pose proof (bpow_ge_0 radix2 (emin + prec - 1)). fold normal in H0. lra.
    + pose proof (error_small rnd x Hr Hx).
      assert (bpow radix2 emin <= normal) by (apply bpow_le; lia). lra.
  - rewrite Rminus_0_l, Rabs_Ropp. lra.
Qed.

Lemma flush_fitting p v : fits p -> may_flush p v -> Rabs (v - p) <= normal.
Proof.
  intros Hp [(rnd & Hr & ->) | (Hx & ->)].
  - destruct (fits_small p Hp) as [H | H].
    + rewrite round_generic, Rminus_eq_0, Rabs_R0; auto. apply bpow_ge_0.
    + pose proof (error_small rnd p Hr H). assert (bpow radix2 emin <= normal) by (apply bpow_le; lia). lra.
  - rewrite Rminus_0_l, Rabs_Ropp. lra.
Qed.

Lemma total_le_abs l : Rabs (total l) <= total_abs l.
Proof.
  induction l; simpl; [rewrite Rabs_R0; lra |]. eapply Rle_trans; [apply Rabs_triang | lra].
Qed.

Lemma total_abs_pos l : 0 <= total_abs l.
Proof. eapply Rle_trans; [apply Rabs_pos | apply total_le_abs]. Qed.

Lemma pow_one u n : 0 <= u -> (1 <= n)%nat -> u <= (1 + u) ^ n - 1.
Proof.
  intros Hu Hn. assert ((1 + u) ^ 1 <= (1 + u) ^ n) by (apply Rle_pow; [lra | lia]). simpl in H. lra.
Qed.

(* A run: [op] is what one operation may make of an exact result, of products and of sums. *)
Section Run.
Variable op : R -> R -> Prop.

Fixpoint computed (P : R -> Prop) t : Prop :=
  match t with
  | Leaf r p v => P p /\ (if r then op p v else v = p)
  | Node v ts =>
    computed_of P ts /\
    match live ts with
    | [(x, true)] => v = x  (* zeros added to one number leave it as it is *)
    | l => op (total l) v
    end
  end
with computed_of P ts := match ts with Nil => True | More t ts => computed P t /\ computed_of P ts end.

Lemma product_open P ts x : computed_of P ts -> live ts = [(x, false)] -> P x.
Proof.
  induction ts as [| t ts IH]; simpl; [discriminate |]. intros (Ht & Hts).
  destruct (Nat.eqb (terms t) 0); [apply IH; auto |]. intros E. injection E as <- Hc _.
  destruct t as [r p v |]; simpl in *; [| discriminate]. subst r. destruct Ht as (? & ->). assumption.
Qed.
End Run.

Fixpoint closed_in (G : R -> Prop) (l : list (R * bool)) :=
  match l with [] => True | (x, c) :: l => (if c then G x else True) /\ closed_in G l end.

Lemma closed_multiple l : closed_in F l -> opens l = 0%nat -> multiple emin (total l).
Proof.
  induction l as [| (x, c) l IH]; simpl; intros H Ho; [apply multiple_0 |].
  destruct c; [| discriminate]. apply multiple_plus; [apply format_multiple |]; tauto.
Qed.

(* What an operation must guarantee so that its runs are those of Tree.v. *)
Section Guarantees.
Variables (op : R -> R -> Prop) (G P : R -> Prop) (u : R) (d : nat) (lost_p lost_a : R).
Hypothesis u_pos : 0 <= u.
Hypothesis op_G : forall x v, op x v -> G v.
Hypothesis op_0 : forall v, op 0 v -> v = 0.
Hypothesis op_product : forall p v, P p -> op p v -> Rabs (v - p) <= ((1 + u) ^ d - 1) * Rabs p + lost_p.
Hypothesis op_sum : forall l v, closed_in G l -> op (total l) v ->
  Rabs (v - total l) <= u * Rabs (total l) + lost_a + lost_p * INR (opens l).

Lemma closed_parts :
  (forall t, computed op P t -> closed t = true -> G (value t)) /\
  (forall ts, computed_of op P ts -> closed_in G (live ts)).
Proof.
  apply trees_induction; simpl.
  - intros r p v (_ & H) ->. eauto.
  - intros v ts IH (Hts & H) _. specialize (IH Hts).
    destruct (live ts) as [| (x, [|]) [| y l]]; simpl in *; eauto. subst. tauto.
  - auto.
  - intros t IHt ts IHts (Ht & Hts). destruct (Nat.eqb (terms t) 0); simpl; [auto |]. split; [| auto].
    destruct (closed t); auto.
Qed.

Lemma computed_runs :
  (forall t, computed op P t -> runs u 1 d lost_p lost_a t) /\
  (forall ts, computed_of op P ts -> runs_of u 1 d lost_p lost_a ts).
Proof.
  assert (Hp : forall p v, P p -> op p v -> product_rule u d lost_p p v).
  { intros p v HP Hv. split; [intros ->; auto | auto]. }
  assert (Hs : forall a b l v, closed_in G (a :: b :: l) -> op (total (a :: b :: l)) v ->
                               sum_rule u 1 lost_p lost_a (a :: b :: l) v).
  { intros a b l v HC Hv. unfold sum_rule. set (l' := a :: b :: l) in *.
    eapply Rle_trans; [apply op_sum; eauto |]. apply Rplus_le_compat_r, Rplus_le_compat_r.
    apply Rmult_le_compat; [exact u_pos | apply Rabs_pos | | apply total_le_abs].
    apply pow_one; [exact u_pos | simpl; lia]. }
  apply trees_induction; simpl; auto.
  - intros r p v (HP & H). destruct r; [apply Hp | exact H]; auto.
  - intros v ts IH (Hts & H). split; [exact (IH Hts) |].
    pose proof (product_open op P ts) as HO. pose proof (proj2 closed_parts ts Hts) as HC.
    destruct (live ts) as [| (x, [|]) [| y l]]; auto.
    apply Hp; [apply (HO x Hts); auto |]. simpl in H. rewrite Rplus_0_r in H. exact H.
  - intros t IHt ts IHts (Ht & Hts). exact (conj (IHt Ht) (IHts Hts)).
Qed.
End Guarantees.

Definition products_counted (d : nat) (P : R -> Prop) := d = 1%nat \/ (d = 0%nat /\ forall p, P p -> fits p).

Lemma nearest_runs d P t : products_counted d P ->
  computed nearest P t -> runs half_ulp 1 d half_least 0 t.
Proof.
  intros Hd. apply (computed_runs nearest F P half_ulp d half_least 0).
  - apply bpow_ge_0.
  - intros x v (c & ->). apply generic_format_round; auto with typeclass_instances.
  - intros v (c & ->). apply round_0; auto with typeclass_instances.
  - intros p v HP Hv. destruct Hd as [-> | (-> & Hd)]; simpl.
    + pose proof (nearest_product p v Hv). lra.
    + pose proof (nearest_fitting p v (Hd p HP) Hv). lra.
  - intros l v HC Hv. destruct (opens l) eqn:E.
    + pose proof (nearest_sum _ _ (closed_multiple l HC E) Hv). simpl. lra.
    + pose proof (nearest_product _ _ Hv). rewrite S_INR. pose proof (pos_INR n).
      pose proof (bpow_ge_0 radix2 (emin - 1)) as H1. fold half_least in H1.
      assert (0 <= half_least * INR n) by (apply Rmult_le_pos; assumption). lra.
Qed.

Lemma flush_runs d P t : products_counted d P ->
  computed may_flush P t -> runs one_ulp 1 d normal normal t.
Proof.
  intros Hd. apply (computed_runs may_flush F P one_ulp d normal normal).
  - apply bpow_ge_0.
  - intros x v [(r & Hr & ->) | (_ & ->)]; [apply generic_format_round | apply generic_format_0];
      auto with typeclass_instances.
  - intros v [(r & Hr & ->) | (_ & ->)]; [apply round_0 |]; auto.
  - intros p v HP Hv. destruct Hd as [-> | (-> & Hd)]; simpl.
    + pose proof (flush_any p v Hv). lra.
    + pose proof (flush_fitting p v (Hd p HP) Hv). lra.
  - intros l v _ Hv. pose proof (flush_any _ _ Hv).
    assert (0 <= normal * INR (opens l)) by (apply Rmult_le_pos; [apply bpow_ge_0 | apply pos_INR]). lra.
Qed.
End Format.
