(* Sums in any order: a tree whose leaves are products and whose nodes add any number of parts. Each node carries what was
   computed there, so a tree is one run of one machine; what machines may do is the predicate [runs]. *)
From Coq Require Import Reals Lra Lia List.
Import ListNotations.
Open Scope R_scope.

Inductive tree :=
| Leaf (rounded : bool) (p v : R)  (* the exact product; what enters the sum, p itself if it is not rounded first *)
| Node (v : R) (ts : forest)
with forest :=
| Nil
| More (t : tree) (ts : forest).

Scheme tree_induction := Induction for tree Sort Prop
with forest_induction := Induction for forest Sort Prop.
Combined Scheme trees_induction from tree_induction, forest_induction.

Definition value t := match t with Leaf _ _ v => v | Node v _ => v end.
Definition closed t := match t with Leaf r _ _ => r | Node _ _ => true end.

Definition counts (p : R) : nat := if Req_EM_T p 0 then 0%nat else 1%nat.

(* K: products that are not zero. *)
Fixpoint terms t := match t with Leaf _ p _ => counts p | Node _ ts => terms_of ts end
with terms_of ts := match ts with Nil => 0%nat | More t ts => (terms t + terms_of ts)%nat end.

(* s, the exact sum, and S, the sum of magnitudes. *)
Fixpoint exact t := match t with Leaf _ p _ => p | Node _ ts => exact_of ts end
with exact_of ts := match ts with Nil => 0 | More t ts => exact t + exact_of ts end.
Fixpoint mag t := match t with Leaf _ p _ => Rabs p | Node _ ts => mag_of ts end
with mag_of ts := match ts with Nil => 0 | More t ts => mag t + mag_of ts end.

(* Of a forest: the sum of what was computed, and the parts that are not exact zeros. *)
Fixpoint values ts := match ts with Nil => 0 | More t ts => value t + values ts end.
Fixpoint live ts : list (R * bool) :=
  match ts with
  | Nil => []
  | More t ts => if Nat.eqb (terms t) 0 then live ts else (value t, closed t) :: live ts
  end.

Definition total (l : list (R * bool)) := fold_right (fun x s => fst x + s) 0 l.
Definition total_abs (l : list (R * bool)) := fold_right (fun x s => Rabs (fst x) + s) 0 l.
Fixpoint opens (l : list (R * bool)) : nat :=
  match l with [] => 0%nat | (_, c) :: l => ((if c then 0 else 1) + opens l)%nat end.

Section Machine.
(* u, how many u an addend counts, roundings of a product, what a product and an addition may lose to underflow. *)
Variables (u : R) (f d : nat) (lost_p lost_a : R).
Hypothesis u_pos : 0 <= u.
Hypothesis lost_p_pos : 0 <= lost_p.
Hypothesis lost_a_pos : 0 <= lost_a.

Definition product_rule p v :=
  (p = 0 -> v = 0) /\ Rabs (v - p) <= ((1 + u) ^ d - 1) * Rabs p + lost_p.

(* Adding parts of which at least two are not zero. Products that enter unrounded may be lost here. *)
Definition sum_rule (l : list (R * bool)) v :=
  Rabs (v - total l) <=
  ((1 + u) ^ (f * (length l - 1)) - 1) * total_abs l + lost_a + lost_p * INR (opens l).

Fixpoint runs t : Prop :=
  match t with
  | Leaf r p v => if r then product_rule p v else v = p
  | Node v ts =>
    runs_of ts /\
    match live ts with
    | [] => v = 0
    | [(x, c)] => if c then v = x else product_rule x v
    | l => sum_rule l v
    end
  end
with runs_of ts := match ts with Nil => True | More t ts => runs t /\ runs_of ts end.

Definition reach (k : nat) (S : R) :=
  ((1 + u) ^ (f * (k - 1) + d) - 1) * S +
  (1 + u) ^ (f * (k - 1)) * (lost_p * INR k + lost_a * INR (k - 1)).

Fixpoint errors ts := match ts with Nil => 0 | More t ts => Rabs (value t - exact t) + errors ts end.
Lemma mag_nonneg : (forall t, 0 <= mag t) /\ (forall ts, 0 <= mag_of ts).
Proof.
  apply trees_induction; simpl; intros; try lra. apply Rabs_pos.
Qed.

Lemma pow_ge_1 n : 1 <= (1 + u) ^ n.
Proof. apply pow_R1_Rle; lra. Qed.

Lemma pow_grows n m : (n <= m)%nat -> (1 + u) ^ n <= (1 + u) ^ m.
Proof. intros; apply Rle_pow; [lra | assumption]. Qed.

(* A tree of zeros is 0, whatever rounds. *)
Lemma dead : (forall t, terms t = 0%nat -> exact t = 0 /\ mag t = 0 /\ (runs t -> value t = 0)) /\
             (forall ts, terms_of ts = 0%nat -> exact_of ts = 0 /\ mag_of ts = 0 /\ live ts = []).
Proof.
  apply trees_induction; simpl; intros.
  - unfold counts in H. destruct (Req_EM_T p 0); [subst | discriminate].
    repeat split; auto. apply Rabs_R0. intros H0. destruct rounded; [apply H0; auto | auto].
  - destruct (H H0) as (? & ? & ->). tauto.
  - auto.
  - destruct (H ltac:(lia)) as (-> & -> & _), (H0 ltac:(lia)) as (-> & -> & ->).
    replace (terms t) with 0%nat by lia. simpl. repeat split; lra.
Qed.

Lemma dead_value t : runs t -> terms t = 0%nat -> value t = 0 /\ exact t = 0 /\ mag t = 0.
Proof. intros H E. destruct (proj1 dead t E) as (? & ? & ?). auto. Qed.

Lemma live_length ts : (length (live ts) <= terms_of ts)%nat.
Proof.
  induction ts; simpl; [lia |]. destruct (Nat.eqb_spec (terms t) 0); simpl; lia.
Qed.

Lemma total_live ts : runs_of ts -> total (live ts) = values ts.
Proof.
  induction ts; simpl; intros; [reflexivity |]. destruct H as (Ht & Hts).
  destruct (Nat.eqb_spec (terms t) 0).
  - rewrite IHts by auto. destruct (dead_value t Ht e) as (-> & _). lra.
  - simpl. rewrite IHts by auto. reflexivity.
Qed.

Lemma total_error ts : Rabs (values ts - exact_of ts) <= errors ts.
Proof.
  induction ts; simpl; [rewrite Rminus_0_r, Rabs_R0; lra |].
  replace (value t + values ts - (exact t + exact_of ts))
    with ((value t - exact t) + (values ts - exact_of ts)) by ring.
  eapply Rle_trans; [apply Rabs_triang | lra].
Qed.

Lemma exact_le_mag : (forall t, Rabs (exact t) <= mag t) /\ (forall ts, Rabs (exact_of ts) <= mag_of ts).
Proof.
  apply trees_induction; simpl; intros; auto; try lra.
  - rewrite Rabs_R0; lra.
  - eapply Rle_trans; [apply Rabs_triang | lra].
Qed.

Lemma total_abs_live ts : runs_of ts -> total_abs (live ts) <= mag_of ts + errors ts.
Proof.
  induction ts; simpl; intros; [lra |]. destruct H as (Ht & Hts). specialize (IHts Hts).
  pose proof (proj1 mag_nonneg t). pose proof (Rabs_pos (value t - exact t)).
  destruct (Nat.eqb_spec (terms t) 0); simpl; [lra |].
  pose proof (proj1 exact_le_mag t).
  assert (Rabs (value t) <= Rabs (value t - exact t) + Rabs (exact t)).
  { replace (value t) with ((value t - exact t) + exact t) at 1 by ring. apply Rabs_triang. }
  lra.
Qed.

(* An open part is a product that nothing has rounded yet. *)
Lemma open_leaf t : closed t = false -> runs t -> terms t <> 0%nat ->
  value t = exact t /\ mag t = Rabs (value t) /\ terms t = 1%nat.
Proof.
  destruct t as [r p v |]; simpl; [| discriminate]. intros -> ->. unfold counts.
  destruct (Req_EM_T p 0); tauto.
Qed.

Lemma alone_open ts x : runs_of ts -> live ts = [(x, false)] ->
  exact_of ts = x /\ mag_of ts = Rabs x /\ terms_of ts = 1%nat.
Proof.
  induction ts; simpl; intros; [discriminate |]. destruct H as (Ht & Hts).
  destruct (Nat.eqb_spec (terms t) 0) as [E | E].
  - destruct (dead_value t Ht E) as (_ & -> & ->), (IHts Hts H0) as (-> & -> & ->). rewrite E.
    repeat split; try lra; lia.
  - injection H0 as Hx Hc H1. destruct (open_leaf t Hc Ht E) as (Hv & Hm & ->).
    assert (Z : terms_of ts = 0%nat).
    { clear - H1 Hts. induction ts; simpl in *; [reflexivity |]. destruct (Nat.eqb_spec (terms t) 0); [| discriminate].
      rewrite e, IHts; tauto. }
    destruct (proj2 dead ts Z) as (-> & -> & _). rewrite Z, Hm, <- Hv, Hx.
    repeat split; try lra; lia.
Qed.

Lemma alone_closed ts x : runs_of ts -> live ts = [(x, true)] -> values ts = x.
Proof. intros H E. rewrite <- total_live, E by auto. simpl. lra. Qed.

Definition budget (k m o : nat) := lost_p * (INR k - INR o) + lost_a * (INR k - INR m).

Lemma reach_alt k S : (1 <= k)%nat ->
  reach k S = ((1 + u) ^ (f * (k - 1) + d) - 1) * S + (1 + u) ^ (f * (k - 1)) * budget k 1 0.
Proof. intros. unfold reach, budget. rewrite minus_INR by lia. simpl INR. f_equal. f_equal. lra. Qed.

Lemma node_step G P Q S E B e x s v :  (* G, P, Q: powers; B, e: losses *)
  1 <= G -> 1 <= Q -> 0 <= e -> 0 <= S ->
  Rabs (x - s) <= E -> E <= (P - 1) * S + Q * B ->
  Rabs (v - x) <= (G - 1) * (S + E) + e ->
  Rabs (v - s) <= (G * P - 1) * S + G * Q * (B + e).
Proof.
  intros HG HQ He HS Hx HE Hv.
  assert (H : Rabs (v - s) <= Rabs (v - x) + Rabs (x - s)).
  { replace (v - s) with ((v - x) + (x - s)) by ring. apply Rabs_triang. }
  assert (G * E <= G * ((P - 1) * S + Q * B)) by (apply Rmult_le_compat_l; lra).
  assert (1 * 1 <= G * Q) by (apply Rmult_le_compat; lra).
  assert (1 * e <= G * Q * e) by (apply Rmult_le_compat_r; lra). lra.
Qed.

Lemma any_order_both :
  (forall t, runs t -> terms t <> 0%nat ->
     Rabs (value t - exact t) <= ((1 + u) ^ (f * (terms t - 1) + d) - 1) * mag t +
       (1 + u) ^ (f * (terms t - 1)) * budget (terms t) 1 (if closed t then 0 else 1)) /\
  (forall ts, runs_of ts -> forall n, (terms_of ts - length (live ts) <= n)%nat ->
     errors ts <= ((1 + u) ^ (f * n + d) - 1) * mag_of ts +
       (1 + u) ^ (f * n) * budget (terms_of ts) (length (live ts)) (opens (live ts))).
Proof.
  apply trees_induction; simpl.
  - (* a product *)
    intros r p v H Hk. unfold counts in *. destruct (Req_EM_T p 0); [tauto |].
    unfold budget. simpl. rewrite Nat.mul_0_r. simpl.
    destruct r; simpl; [destruct H as (_ & H); lra |]. subst v. rewrite Rminus_eq_0, Rabs_R0.
    pose proof (pow_ge_1 d). pose proof (Rabs_pos p).
    assert (0 <= ((1 + u) ^ d - 1) * Rabs p) by (apply Rmult_le_pos; lra). lra.
  - (* a node *)
    intros v ts IH (Hts & Hv) Hk.
    pose proof (live_length ts) as HL. pose proof (total_live ts Hts) as HT. pose proof (total_error ts) as HE.
    pose proof (total_abs_live ts Hts) as HA. pose proof (proj2 mag_nonneg ts) as HM.
    destruct (live ts) as [| (x, c) [| y l]] eqn:E.
    + exfalso. apply Hk. clear - E. induction ts; simpl in *; [reflexivity |].
      destruct (Nat.eqb_spec (terms t) 0); [rewrite e, IHts; auto | discriminate].
    + destruct c.
      * subst v. rewrite <- (alone_closed ts x Hts E). eapply Rle_trans; [apply HE |]. apply IH; auto.
      * destruct Hv as (_ & Hv). destruct (alone_open ts x Hts E) as (-> & -> & ->).
        unfold budget. simpl. rewrite Nat.mul_0_r. simpl. lra.
    + rewrite <- E in *. set (m := length (live ts)) in *.
      assert (Hm : (2 <= m)%nat) by (unfold m; rewrite E; simpl; lia).
      specialize (IH Hts (terms_of ts - m)%nat ltac:(lia)). unfold sum_rule in Hv. rewrite HT in Hv. fold m in Hv.
      set (G := (1 + u) ^ (f * (m - 1))) in *.
      set (e := lost_a + lost_p * INR (opens (live ts))) in *.
      assert (He : 0 <= e).
      { unfold e. assert (0 <= lost_p * INR (opens (live ts))) by (apply Rmult_le_pos; [lra | apply pos_INR]). lra. }
      pose proof (pow_ge_1 (f * (m - 1))) as HG. fold G in HG.
      assert (Hv' : Rabs (v - values ts) <= (G - 1) * (mag_of ts + errors ts) + e).
      { eapply Rle_trans; [apply Hv |]. unfold e.
        assert ((G - 1) * total_abs (live ts) <= (G - 1) * (mag_of ts + errors ts)) by (apply Rmult_le_compat_l; lra).
        lra. }
      pose proof (node_step G _ _ (mag_of ts) (errors ts) _ e (values ts) (exact_of ts) v HG (pow_ge_1 _) He HM HE IH Hv') as H.
      eapply Rle_trans; [apply H |]. unfold G. rewrite <- !pow_add.
      replace (f * (m - 1) + (f * (terms_of ts - m) + d))%nat with (f * (terms_of ts - 1) + d)%nat by nia.
      replace (f * (m - 1) + f * (terms_of ts - m))%nat with (f * (terms_of ts - 1))%nat by nia.
      apply Rplus_le_compat_l, Rmult_le_compat_l; [pose proof (pow_ge_1 (f * (terms_of ts - 1))); lra |].
      unfold budget, e. simpl INR.
      apply le_INR in Hm. simpl in Hm.
      assert (lost_a * (2 - INR m) <= 0).
      { rewrite <- (Rmult_0_r lost_a). apply Rmult_le_compat_l; lra. }
      lra.
  - (* no part *)
    intros. unfold budget. simpl. lra.
  - (* a part and others *)
    intros t IHt ts IHts (Ht & Hts) n Hn.
    pose proof (live_length ts) as HL. pose proof (proj1 mag_nonneg t) as HM.
    destruct (Nat.eqb_spec (terms t) 0) as [Z | Z].
    + destruct (dead_value t Ht Z) as (-> & -> & ->). rewrite Z in *. simpl in *.
      rewrite Rminus_eq_0, Rabs_R0. specialize (IHts Hts n Hn). lra.
    + simpl in Hn. specialize (IHt Ht Z). specialize (IHts Hts n ltac:(lia)). cbn [length opens].
      set (a := terms t) in *. set (b := terms_of ts) in *. set (m := length (live ts)) in *.
      assert (H1 : (1 + u) ^ (f * (a - 1) + d) <= (1 + u) ^ (f * n + d)) by (apply pow_grows; nia).
      assert (H2 : (1 + u) ^ (f * (a - 1)) <= (1 + u) ^ (f * n)) by (apply pow_grows; nia).
      set (o := if closed t then 0%nat else 1%nat) in *.
      assert (Ho : (o <= 1)%nat) by (unfold o; destruct (closed t); lia).
      assert (H3 : budget (S (a - 1) + b) (S m) (o + opens (live ts)) = budget a 1 o + budget b m (opens (live ts))).
      { unfold budget. replace (S (a - 1)) with a by lia. rewrite !plus_INR, S_INR. simpl INR. lra. }
      replace (S (a - 1)) with a in H3 by lia. rewrite H3.
      assert (H4 : 0 <= budget a 1 o).
      { unfold budget. apply le_INR in Ho. simpl INR in *. assert (1 <= INR a) by (apply (le_INR 1); lia).
        apply Rplus_le_le_0_compat; apply Rmult_le_pos; lra. }
      assert (((1 + u) ^ (f * (a - 1) + d) - 1) * mag t <= ((1 + u) ^ (f * n + d) - 1) * mag t)
        by (apply Rmult_le_compat_r; lra).
      assert ((1 + u) ^ (f * (a - 1)) * budget a 1 o <= (1 + u) ^ (f * n) * budget a 1 o)
        by (apply Rmult_le_compat_r; lra).
      lra.
Qed.

(* Every order, every parenthesisation, any number of addends at once. *)
Theorem any_order t : runs t -> Rabs (value t - exact t) <= reach (terms t) (mag t).
Proof.
  intros H. destruct (Nat.eq_dec (terms t) 0) as [E | E].
  - destruct (dead_value t H E) as (-> & -> & ->). rewrite E. unfold reach. simpl.
    rewrite Rminus_eq_0, Rabs_R0. lra.
  - eapply Rle_trans; [apply (proj1 any_order_both t H E) |]. rewrite reach_alt by lia.
    apply Rplus_le_compat_l, Rmult_le_compat_l; [pose proof (pow_ge_1 (f * (terms t - 1))); lra |].
    unfold budget. destruct (closed t); simpl INR; lra.
Qed.
End Machine.

(* (1 + u)^n - 1 <= gamma_n = n u / (1 - n u): Higham's lemma 3.1. *)
Definition gamma u n := INR n * u / (1 - INR n * u).

Lemma pow_gamma u n : 0 <= u -> INR n * u < 1 -> (1 + u) ^ n <= 1 + gamma u n.
Proof.
  intros Hu Hn. unfold gamma.
  assert (H : forall k, INR k * u < 1 -> (1 + u) ^ k * (1 - INR k * u) <= 1).
  { induction k; intros Hk; [simpl; lra |]. rewrite S_INR in *. simpl pow.
    assert (0 <= INR k) by apply pos_INR. assert (INR k * u < 1) by lra. specialize (IHk H0).
    assert (0 < (1 + u) ^ k) by (apply pow_lt; lra).
    assert (0 <= (1 + u) ^ k * ((INR k + 1) * u * u)).
    { apply Rmult_le_pos; [lra |]. apply Rmult_le_pos; [apply Rmult_le_pos; lra | lra]. }
    lra. }
  specialize (H n Hn). replace (1 + INR n * u / (1 - INR n * u)) with (1 / (1 - INR n * u)) by (field; lra).
  apply (Rmult_le_reg_r (1 - INR n * u)); [lra |]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
Qed.

Lemma gamma_grows u n m : 0 <= u -> (n <= m)%nat -> INR m * u < 1 -> gamma u n <= gamma u m.
Proof.
  intros Hu Hnm Hm. unfold gamma. apply le_INR in Hnm. assert (INR n * u <= INR m * u) by (apply Rmult_le_compat_r; lra).
  assert (0 <= INR n * u) by (apply Rmult_le_pos; [apply pos_INR | lra]).
  apply Rmult_le_compat; [lra | left; apply Rinv_0_lt_compat; lra | lra |]. apply Rinv_le_contravar; lra.
Qed.
