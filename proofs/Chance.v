(* What a wrong result is missed with: the argument of Schwartz and Zippel for the two checks that draw numbers. *)
From Coq Require Import Reals Lra Lia List FinFun ZArith Znumtheory.
From Limit Require Import Prime.
Import ListNotations.
Open Scope R_scope.

(* Means over a list of equally probable values, and over vectors of n independent ones. *)
Definition mean (l : list Z) (f : Z -> R) := fold_right (fun z s => f z + s) 0 l / INR (length l).
Fixpoint draws (vals : list Z) (n : nat) (f : list Z -> R) : R :=
  match n with O => f [] | S n => mean vals (fun z => draws vals n (fun v => f (z :: v))) end.
Definition when (b : bool) := if b then 1 else 0.

Fixpoint dot (v e : list Z) : Z :=
  match v, e with z :: v, x :: e => (z * x + dot v e)%Z | _, _ => 0%Z end.

Section Values.
Variable vals : list Z.
Hypothesis some : vals <> [].

Lemma length_pos : 0 < INR (length vals).
Proof. apply lt_0_INR. destruct vals; [congruence | simpl; lia]. Qed.

Lemma mean_le f g : (forall z, f z <= g z) -> mean vals f <= mean vals g.
Proof.
  intros H. unfold mean, Rdiv. apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat, length_pos |].
  generalize vals. induction vals0 as [| x l IH]; simpl; [lra |]. specialize (H x). lra.
Qed.

Lemma mean_affine f c d : mean vals (fun z => c * f z + d) = c * mean vals f + d.
Proof.
  unfold mean. pose proof length_pos as HL.
  assert (E : forall l, fold_right (fun x s => c * f x + d + s) 0 l = c * fold_right (fun x s => f x + s) 0 l + d * INR (length l)).
  { induction l as [| x l IH]; [simpl; lra |]. cbn [fold_right length]. rewrite IH, S_INR. ring. }
  rewrite E. field. lra.
Qed.

Lemma mean_ext f g : (forall z, f z = g z) -> mean vals f = mean vals g.
Proof. intros H. apply Rle_antisym; apply mean_le; intros z; rewrite H; lra. Qed.

Lemma mean_const c : mean vals (fun _ => c) = c.
Proof.
  transitivity (mean vals (fun z => 0 * 0 + c)); [apply mean_ext; intros; ring |].
  rewrite (mean_affine (fun _ => 0)). ring.
Qed.

Lemma draws_le n : forall f g, (forall v, length v = n -> f v <= g v) -> draws vals n f <= draws vals n g.
Proof.
  induction n as [| n IH]; simpl; intros f g H; [apply H; reflexivity |].
  apply mean_le. intros z. apply IH. intros v Hv. apply H. simpl. lia.
Qed.

Lemma draws_affine n : forall f c d, draws vals n (fun v => c * f v + d) = c * draws vals n f + d.
Proof.
  induction n as [| n IH]; simpl; intros f c d; [reflexivity |]. rewrite <- mean_affine.
  apply mean_ext. intros z. apply (IH (fun v => f (z :: v))).
Qed.

Lemma draws_const n c : draws vals n (fun _ => c) = c.
Proof. induction n as [| n IH]; simpl; [reflexivity |]. rewrite IH. apply mean_const. Qed.

Lemma when_le b : 0 <= when b <= 1.
Proof. destruct b; simpl; lra. Qed.

(* Numbers that count as zero: 0 itself, or the multiples of p. *)
Variables (zero : Z -> bool) (beta : R).
Hypothesis zero_times : forall z e c, zero e = true -> zero (z * e + c)%Z = zero c.
Hypothesis few : forall e c, zero e = false -> mean vals (fun z => when (zero (z * e + c)%Z)) <= beta.

Lemma dot_zero e : (forall x, In x e -> zero x = true) -> forall v c, zero (dot v e + c)%Z = zero c.
Proof.
  induction e as [| x e IH]; intros H [| z v] c; try reflexivity. simpl.
  replace (z * x + dot v e + c)%Z with (z * x + (dot v e + c))%Z by ring.
  rewrite zero_times by (apply H; left; reflexivity). apply IH. intros y Hy. apply H. right. exact Hy.
Qed.

(* A polynomial of degree 1 that is not zero. *)
Lemma linear e : (exists x, In x e /\ zero x = false) ->
  forall c, draws vals (length e) (fun v => when (zero (dot v e + c)%Z)) <= beta.
Proof.
  induction e as [| x e IH]; intros (y & Hy & Ey); [destruct Hy |]. intros c. simpl.
  destruct (existsb (fun y => negb (zero y)) e) eqn:B.
  - apply existsb_exists in B. destruct B as (y' & Hy' & Ey'). apply Bool.negb_true_iff in Ey'.
    rewrite <- (mean_const beta). apply mean_le. intros z.
    eapply Rle_trans; [| apply (IH (ex_intro _ y' (conj Hy' Ey')) (z * x + c)%Z)].
    apply draws_le. intros v _. replace (z * x + dot v e + c)%Z with (dot v e + (z * x + c))%Z by ring. lra.
  - assert (A : forall y, In y e -> zero y = true).
    { intros y' Hy'. destruct (zero y') eqn:E; [reflexivity |]. exfalso.
      rewrite <- Bool.not_true_iff_false in B. apply B. apply existsb_exists. exists y'. rewrite E. auto. }
    destruct Hy as [<- | Hy]; [| rewrite (A y Hy) in Ey; discriminate].
    eapply Rle_trans; [| apply (few x c Ey)]. apply mean_le. intros z.
    rewrite <- (draws_const (length e) (when (zero (z * x + c)%Z))). apply draws_le. intros v _.
    replace (z * x + dot v e + c)%Z with (dot v e + (z * x + c))%Z by ring. rewrite (dot_zero e A). lra.
Qed.
End Values.

(* A form u' M b that is not zero: with u and b drawn, it counts as zero with at most 1 - (1 - beta)(1 - beta'). *)
Theorem bilinear us bs zero beta beta' M row m :
  us <> [] -> bs <> [] -> (forall z e c, zero e = true -> zero (z * e + c)%Z = zero c) ->
  (forall e c, zero e = false -> mean us (fun z => when (zero (z * e + c)%Z)) <= beta) ->
  (forall e c, zero e = false -> mean bs (fun z => when (zero (z * e + c)%Z)) <= beta') ->
  0 <= beta <= 1 -> In row M -> length row = m -> (exists x, In x row /\ zero x = false) ->
  draws bs m (fun b => draws us (length M) (fun u => when (zero (dot u (map (dot b) M))))) <= 1 - (1 - beta) * (1 - beta').
Proof.
  intros Hus Hbs Hz Hu Hb Hbeta Hrow Hm Hx.
  apply Rle_trans with (draws bs m (fun b => (1 - beta) * when (zero (dot b row)) + beta)).
  - apply draws_le; [exact Hbs |]. intros b _. destruct (zero (dot b row)) eqn:E; simpl.
    + rewrite Rmult_1_r. replace (1 - beta + beta) with 1 by ring. rewrite <- (draws_const us Hus (length M) 1).
      apply draws_le; [exact Hus |]. intros u _. apply when_le.
    + rewrite Rmult_0_r, Rplus_0_l. rewrite <- (map_length (dot b) M).
      eapply Rle_trans; [| apply (linear us Hus zero beta Hz Hu (map (dot b) M)) with (c := 0%Z)].
      * apply draws_le; [exact Hus |]. intros u _. rewrite Z.add_0_r. lra.
      * exists (dot b row). split; [apply in_map; exact Hrow | exact E].
  - rewrite draws_affine by exact Hbs.
    assert (H : draws bs m (fun b => when (zero (dot b row))) <= beta').
    { rewrite <- Hm. eapply Rle_trans; [| apply (linear bs Hbs zero beta' Hz Hb row Hx 0%Z)].
      apply draws_le; [exact Hbs |]. intros b _. rewrite Z.add_0_r. lra. }
    assert ((1 - beta) * draws bs m (fun b => when (zero (dot b row))) <= (1 - beta) * beta') by (apply Rmult_le_compat_l; lra).
    lra.
Qed.

(* How many values make a polynomial of degree 1 vanish. *)
Lemma mean_count l (b : Z -> bool) n : NoDup l -> (length (filter b l) <= n)%nat ->
  mean l (fun z => when (b z)) <= INR n / INR (length l).
Proof.
  intros _ H. unfold mean, Rdiv. apply le_INR in H.
  assert (E : fold_right (fun z s => when (b z) + s) 0 l = INR (length (filter b l))).
  { clear H. induction l as [| z l IH]; [reflexivity |]. cbn [fold_right filter]. rewrite IH.
    destruct (b z); cbn [length when]; [rewrite S_INR |]; lra. }
  rewrite E. destruct l as [| z l]; [simpl; rewrite Rinv_0; lra |].
  apply Rmult_le_compat_r; [| exact H]. left. apply Rinv_0_lt_compat, lt_0_INR. simpl. lia.
Qed.

(* Labels from +-1 ... +-m: gradproof prove. Integers have no zero divisors. *)
Definition labels (m : nat) := map Z.of_nat (seq 1 m) ++ map (fun i => (- Z.of_nat i)%Z) (seq 1 m).

Lemma labels_length m : length (labels m) = (2 * m)%nat.
Proof. unfold labels. rewrite app_length, !map_length, seq_length. lia. Qed.

Lemma labels_differ m : NoDup (labels m).
Proof.
  assert (N : forall f : nat -> Z, (forall i j, f i = f j -> i = j) -> NoDup (map f (seq 1 m))).
  { intros f Hf. apply Injective_map_NoDup; [exact Hf | apply seq_NoDup]. }
  unfold labels. assert (A : NoDup (map Z.of_nat (seq 1 m))) by (apply N; intros; lia).
  assert (B : NoDup (map (fun i => (- Z.of_nat i)%Z) (seq 1 m))) by (apply N; intros; lia).
  assert (D : forall x, In x (map Z.of_nat (seq 1 m)) -> ~ In x (map (fun i => (- Z.of_nat i)%Z) (seq 1 m))).
  { intros x Hx Hy. apply in_map_iff in Hx, Hy. destruct Hx as (i & <- & Hi), Hy as (j & E & Hj). apply in_seq in Hi. lia. }
  revert A D. generalize (map Z.of_nat (seq 1 m)). induction l as [| x l IH]; simpl; intros HA HD; [exact B |].
  inversion HA; subst. constructor.
  - intros H. apply in_app_or in H. destruct H; [tauto |]. apply (HD x); auto.
  - apply IH; auto.
Qed.

Definition is_zero x := Z.eqb x 0.

Lemma label_few m e c : is_zero e = false -> mean (labels m) (fun z => when (is_zero (z * e + c))) <= 1 / (2 * INR m).
Proof.
  intros He. apply Z.eqb_neq in He. replace (2 * INR m) with (INR (length (labels m))) by (rewrite labels_length, mult_INR; simpl; ring).
  apply (mean_count _ _ 1); [apply labels_differ |].
  assert (ND : NoDup (filter (fun z => is_zero (z * e + c)) (labels m))) by (apply NoDup_filter, labels_differ).
  destruct (filter _ _) as [| x [| y l]] eqn:F; simpl; try lia. exfalso.
  assert (Hx : In x (x :: y :: l)) by (left; reflexivity). assert (Hy : In y (x :: y :: l)) by (right; left; reflexivity).
  rewrite <- F in Hx, Hy. apply filter_In in Hx, Hy. destruct Hx as (_ & Hx), Hy as (_ & Hy). unfold is_zero in *.
  apply Z.eqb_eq in Hx, Hy. assert (x = y) by nia. subst. inversion ND; subst. apply H1. left. reflexivity.
Qed.

(* A wrong index map is missed by one run with at most so much: properties/runs/prove, tools/check_proof.py. *)
Theorem prove_misses a b M row m : (1 <= a)%nat -> (1 <= b)%nat -> In row M -> length row = m ->
  (exists x, In x row /\ x <> 0%Z) ->
  draws (labels b) m (fun w => draws (labels a) (length M) (fun y => when (is_zero (dot y (map (dot w) M)))))
    <= 1 - (1 - 1 / (2 * INR a)) * (1 - 1 / (2 * INR b)).
Proof.
  intros Ha Hb Hrow Hm (x & Hx & Hx0). apply le_INR in Ha as HA. apply le_INR in Hb as HB. simpl in HA, HB.
  apply bilinear with (row := row); auto.
  - intros E. apply (f_equal (@length Z)) in E. rewrite labels_length in E. simpl in E. lia.
  - intros E. apply (f_equal (@length Z)) in E. rewrite labels_length in E. simpl in E. lia.
  - unfold is_zero. intros z e c He. apply Z.eqb_eq in He. subst. rewrite Z.mul_0_r. reflexivity.
  - intros; apply label_few; assumption.
  - intros; apply label_few; assumption.
  - split; [apply Rmult_le_pos; [lra | left; apply Rinv_0_lt_compat; lra] |].
    apply (Rmult_le_reg_r (2 * INR a)); [lra |]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
  - exists x. split; [exact Hx | apply Z.eqb_neq; exact Hx0].
Qed.

(* So many runs that their product is below 2^-40. *)
Theorem runs_suffice m R : 0 < m < 1 -> 40 * ln 2 / - ln m < INR R -> m ^ R < (/ 2) ^ 40.
Proof.
  intros Hm HR. assert (L : ln m < 0) by (rewrite <- ln_1; apply ln_increasing; lra).
  apply (Rmult_lt_compat_r (- ln m)) in HR; [| lra]. unfold Rdiv in HR. rewrite Rmult_assoc, Rinv_l in HR by lra.
  apply ln_lt_inv; try (apply pow_lt; lra). rewrite !ln_pow, ln_Rinv by lra. simpl (INR 40). lra.
Qed.
