(* Adders that align several addends to the largest and cut them there. Each addend loses less than a unit of the largest, then
   the sum is cut or rounded: at most one unit of itself. *)
From Coq Require Import Reals Lra Lia List ZArith.
From Flocq Require Import Core.
From Limit Require Import Tree Machines.
Import ListNotations.
Open Scope R_scope.

Definition largest (l : list (R * bool)) := fold_right (fun x m => Rmax (Rabs (fst x)) m) 0 l.

Lemma largest_le l : 0 <= largest l <= total_abs l.
Proof.
  induction l as [| (x, c) l IH]; simpl; [lra |]. pose proof (Rabs_pos x).
  split; [eapply Rle_trans; [| apply Rmax_l]; lra |]. apply Rmax_lub; lra.
Qed.

Section Block.
Variables (unit lost : R).  (* 2^(1-p), and what the ends of the format may take *)
Hypothesis unit_pos : 0 <= unit <= / 4.
Hypothesis lost_pos : 0 <= lost.

(* A product that enters unrounded may also be cut at the least number; one that is flushed counts as rounded before. *)
Fixpoint cut_to (m : R) (l : list (R * bool)) (w : R) : Prop :=
  match l with
  | [] => w = 0
  | (x, c) :: l => exists y z, w = y + z /\ cut_to m l z /\ Rabs (y - x) <= unit * m + (if c then 0 else lost / 2)
  end.

Definition block_add l v := exists w, cut_to (largest l) l w /\ Rabs (v - w) <= unit * Rabs w + lost.

(* A machine of block adders: a product alone is cut and rounded, a number alone stays. *)
Fixpoint block_computed t : Prop :=
  match t with
  | Leaf r p v => if r then Rabs (v - p) <= 2 * unit * Rabs p + lost /\ (p = 0 -> v = 0) else v = p
  | Node v ts =>
    block_computed_of ts /\
    match live ts with
    | [] => v = 0
    | [(x, true)] => v = x
    | [(x, false)] => Rabs (v - x) <= 2 * unit * Rabs x + lost /\ (x = 0 -> v = 0)
    | l => block_add l v
    end
  end
with block_computed_of ts := match ts with Nil => True | More t ts => block_computed t /\ block_computed_of ts end.

Lemma cut_error m l w : 0 <= m -> cut_to m l w ->
  Rabs (w - total l) <= INR (length l) * (unit * m) + lost / 2 * INR (opens l).
Proof.
  intros Hm. revert w. induction l as [| (x, c) l IH]; intros w.
  - simpl. intros ->. rewrite Rminus_0_r, Rabs_R0. lra.
  - intros (y & z & -> & Hz & Hy). specialize (IH z Hz). cbn [length opens total fold_right fst].
    fold (total l). rewrite S_INR, plus_INR.
    replace (y + z - (x + total l)) with ((y - x) + (z - total l)) by ring.
    eapply Rle_trans; [apply Rabs_triang |]. destruct c; simpl INR; lra.
Qed.

Lemma bernoulli u n : 0 <= u -> 1 + INR n * u <= (1 + u) ^ n.
Proof.
  intros [Hu | <-]; [apply poly; exact Hu |]. rewrite Rplus_0_r, pow1. lra.
Qed.

(* Twice u = 2^(2-p) for each addend but one pays for m cuts, the sum's rounding, and that of what was cut. *)
Lemma block_sum a b l v : block_add (a :: b :: l) v -> sum_rule (2 * unit) 2 lost lost (a :: b :: l) v.
Proof.
  set (l' := a :: b :: l). intros (w & Hw & Hv). unfold sum_rule.
  pose proof (largest_le l') as HL. apply cut_error in Hw; [| tauto].
  set (n := length l') in *. set (o := lost * INR (opens l')) in *.
  assert (Ho : 0 <= o) by (apply Rmult_le_pos; [lra | apply pos_INR]).
  assert (Hn : 2 <= INR n) by (apply (le_INR 2); unfold n; simpl; lia).
  set (T := total_abs l') in *.
  assert (HT : Rabs (total l') <= T) by apply total_le_abs.
  assert (H1 : unit * largest l' <= unit * T) by (apply Rmult_le_compat_l; lra).
  assert (H2 : INR n * (unit * largest l') <= INR n * (unit * T)) by (apply Rmult_le_compat_l; lra).
  assert (Hw' : Rabs w <= T + INR n * (unit * T) + o / 2).
  { replace w with ((w - total l') + total l') by ring. eapply Rle_trans; [apply Rabs_triang |]. unfold o. lra. }
  assert (H3 : unit * Rabs w <= unit * (T + INR n * (unit * T) + o / 2)) by (apply Rmult_le_compat_l; lra).
  assert (H4 : 1 + INR (2 * (n - 1)) * (2 * unit) <= (1 + 2 * unit) ^ (2 * (n - 1))) by (apply bernoulli; lra).
  rewrite mult_INR, minus_INR in H4 by (unfold n; simpl; lia). change (INR 2) with (1 + 1) in H4. change (INR 1) with 1 in H4.
  assert (H5 : (4 * (INR n - 1) * unit) * T <= ((1 + 2 * unit) ^ (2 * (n - 1)) - 1) * T)
    by (apply Rmult_le_compat_r; lra).
  assert (HT0 : 0 <= T) by lra.
  assert (H6 : 0 <= unit * T) by (apply Rmult_le_pos; lra).
  assert (H7 : (1 + INR n * unit + INR n) * (unit * T) <= (4 * (INR n - 1)) * (unit * T)).
  { apply Rmult_le_compat_r; [lra |]. assert (INR n * unit <= INR n * / 4) by (apply Rmult_le_compat_l; lra). lra. }
  assert (H8 : unit * o <= / 4 * o) by (apply Rmult_le_compat_r; lra).
  replace (v - total l') with ((v - w) + (w - total l')) by ring.
  eapply Rle_trans; [apply Rabs_triang |]. unfold o in *. lra.
Qed.

Lemma block_runs :
  (forall t, block_computed t -> runs (2 * unit) 2 1 lost lost t) /\
  (forall ts, block_computed_of ts -> runs_of (2 * unit) 2 1 lost lost ts).
Proof.
  assert (Hp : forall p v, Rabs (v - p) <= 2 * unit * Rabs p + lost -> (p = 0 -> v = 0) ->
                           product_rule (2 * unit) 1 lost p v).
  { intros p v H H0. split; [exact H0 |]. simpl. lra. }
  apply trees_induction; simpl; auto.
  - intros r p v H. destruct r; [apply Hp; tauto | exact H].
  - intros v ts IH (Hts & H). split; [exact (IH Hts) |].
    destruct (live ts) as [| (x, [|]) [| y l]]; auto; try (apply block_sum; exact H). apply Hp; tauto.
  - intros t IHt ts IHts (Ht & Hts). exact (conj (IHt Ht) (IHts Hts)).
Qed.
End Block.
