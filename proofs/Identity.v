(* The linear-time identity of oracle/gradients/linear, and the chance that it holds of a wrong gradient. *)
From Coq Require Import Reals Lra Lia List FinFun ZArith Znumtheory.
From Limit Require Import Prime Chance.
Import ListNotations.
Open Scope Z_scope.

Definition sumz {A} (l : list A) (f : A -> Z) := fold_right (fun x s => f x + s) 0 l.

Lemma sumz_ext {A} (l : list A) f g : (forall x, In x l -> f x = g x) -> sumz l f = sumz l g.
Proof.
  induction l as [| x l IH]; simpl; intros H; [reflexivity |]. rewrite (H x), IH; auto.
Qed.

Lemma sumz_times {A} (l : list A) f c : c * sumz l f = sumz l (fun x => c * f x).
Proof. induction l as [| x l IH]; simpl; [ring |]. rewrite <- IH. ring. Qed.

Lemma sumz_plus {A} (l : list A) f g : sumz l (fun x => f x + g x) = sumz l f + sumz l g.
Proof. induction l as [| x l IH]; simpl; [ring |]. rewrite IH. ring. Qed.

Lemma sumz_swap {A B} (l : list A) (l' : list B) f :
  sumz l (fun x => sumz l' (fun y => f x y)) = sumz l' (fun y => sumz l (fun x => f x y)).
Proof.
  induction l as [| x l IH]; simpl.
  - induction l' as [| y l' IH]; simpl; [reflexivity | rewrite <- IH; reflexivity].
  - rewrite IH, <- sumz_plus. reflexivity.
Qed.

Section Gradient.
(* Channels of gradInput, kernels, positions of gradOutput, taps; the position that position s meets through tap t. *)
Variables (C K S T Q : list nat) (meets : nat -> nat -> option nat).
Hypothesis Q_once : NoDup Q.
Hypothesis Q_all : forall s t q, meets s t = Some q -> In q Q.

Definition at_place (b : nat -> Z) (place : option nat) := match place with Some q => b q | None => 0 end.
Definition same (place : option nat) q := match place with Some q' => if Nat.eqb q' q then 1 else 0 | None => 0 end.

Lemma pick b place : (forall q, place = Some q -> In q Q) -> sumz Q (fun q => b q * same place q) = at_place b place.
Proof.
  destruct place as [q' |]; simpl; intros H.
  - specialize (H q' eq_refl). clear Q_all. induction Q as [| q l IH]; [destruct H |]. inversion Q_once; subst. simpl.
    destruct (Nat.eqb_spec q' q) as [-> | N].
    + rewrite (sumz_ext l _ (fun _ => 0)).
      * assert (Z : forall l : list nat, sumz l (fun _ => 0) = 0) by (induction l0; simpl; auto). rewrite Z. ring.
      * intros x Hx. destruct (Nat.eqb_spec q x); [subst; contradiction | ring].
    + destruct H as [E | H]; [congruence |]. rewrite IH; auto. ring.
  - clear. induction Q as [| q l IH]; simpl; [reflexivity |]. rewrite IH. ring.
Qed.

(* One batch entry of gradInput; dy by kernel and position, w by kernel, channel and tap. *)
Variables (dy : nat -> nat -> Z) (w : nat -> nat -> nat -> Z).
Definition dx c q := sumz K (fun k => sumz S (fun s => sumz T (fun t => dy k s * w k c t * same (meets s t) q))).

Theorem identity_input (u b : nat -> Z) :
  sumz C (fun c => sumz Q (fun q => u c * b q * dx c q)) =
  sumz K (fun k => sumz S (fun s => dy k s * sumz T (fun t => at_place b (meets s t) * sumz C (fun c => u c * w k c t)))).
Proof.
  unfold dx.
  transitivity (sumz C (fun c => sumz K (fun k => sumz S (fun s => sumz T (fun t =>
    u c * (dy k s * w k c t) * at_place b (meets s t)))))).
  - apply sumz_ext. intros c _.
    rewrite (sumz_ext Q _ (fun q => sumz K (fun k => sumz S (fun s => sumz T (fun t => u c * (dy k s * w k c t) * (b q * same (meets s t) q)))))).
    + rewrite sumz_swap. apply sumz_ext. intros k _. rewrite sumz_swap. apply sumz_ext. intros s _.
      rewrite sumz_swap. apply sumz_ext. intros t _. rewrite <- sumz_times, pick; [reflexivity | intros; eapply Q_all; eauto].
    + intros q _. rewrite sumz_times. apply sumz_ext. intros k _. rewrite sumz_times. apply sumz_ext. intros s _.
      rewrite sumz_times. apply sumz_ext. intros t _. ring.
  - rewrite sumz_swap. apply sumz_ext. intros k _. rewrite sumz_swap. apply sumz_ext. intros s _.
    rewrite sumz_swap, sumz_times. apply sumz_ext. intros t _. rewrite sumz_times, sumz_times. apply sumz_ext.
    intros c _. ring.
Qed.
End Gradient.

(* One kernel of gradWeight: dy and x by batch entry; x at the position that s meets through t, 0 in the padding. *)
Theorem identity_weight (C N S T : list nat) (dy : nat -> nat -> Z) (x : nat -> nat -> nat -> nat -> Z) (s' q : nat -> Z) :
  sumz C (fun c => sumz T (fun t => s' c * q t * sumz N (fun n => sumz S (fun s => dy n s * x n c s t)))) =
  sumz N (fun n => sumz S (fun s => dy n s * sumz T (fun t => q t * sumz C (fun c => s' c * x n c s t)))).
Proof.
  transitivity (sumz C (fun c => sumz T (fun t => sumz N (fun n => sumz S (fun s => s' c * q t * (dy n s * x n c s t)))))).
  - apply sumz_ext. intros c _. apply sumz_ext. intros t _. rewrite sumz_times. apply sumz_ext. intros n _. apply sumz_times.
  - rewrite sumz_swap, (sumz_ext T _ (fun t => sumz N (fun n => sumz S (fun s => sumz C (fun c => s' c * q t * (dy n s * x n c s t)))))).
    + rewrite sumz_swap. apply sumz_ext. intros n _. rewrite sumz_swap. apply sumz_ext. intros s _. rewrite sumz_times.
      apply sumz_ext. intros t _. rewrite !sumz_times. apply sumz_ext. intros c _. ring.
    + intros t _. rewrite sumz_swap. apply sumz_ext. intros n _. apply sumz_swap.
Qed.

(* Coefficients are 64-bit words modulo p; an error below p in magnitude is not 0 modulo p. *)
Section Words.
Variable two_64 : nat.
Hypothesis two_64_is : Z.of_nat two_64 = 2 ^ 64.
Definition words := map Z.of_nat (seq 0 two_64).
Definition residue_zero x := Z.eqb (x mod P) 0.

Lemma error_seen e : e <> 0 -> Z.abs e < P -> residue_zero e = false.
Proof.
  intros H0 H. apply Z.eqb_neq. intros E. apply Z.mod_divide in E; [| discriminate]. destruct E as (c & ->). unfold P in *. nia.
Qed.

Lemma words_length : length words = two_64.
Proof. unfold words. rewrite map_length, seq_length. reflexivity. Qed.

Lemma words_in z : In z words -> 0 <= z < 2 ^ 64.
Proof.
  unfold words. intros H. apply in_map_iff in H. destruct H as (i & <- & H). apply in_seq in H. rewrite <- two_64_is. lia.
Qed.

Lemma words_differ : NoDup words.
Proof. apply Injective_map_NoDup; [intros i j; lia | apply seq_NoDup]. Qed.

Open Scope R_scope.
(* 2^64 = 8 p + 8: no residue has more than nine words. *)
Lemma word_few e c : residue_zero e = false -> mean words (fun z => when (residue_zero (z * e + c))) <= 9 / 2 ^ 64.
Proof.
  intros He. replace (2 ^ 64) with (INR (length words)).
  - replace 9 with (INR 9) by (simpl; ring). apply mean_count; [apply words_differ |].
    set (l := filter (fun z => residue_zero (z * e + c)) words).
    assert (ND : NoDup l) by (apply NoDup_filter, words_differ).
    assert (HL : forall z, In z l -> (0 <= z < 9 * P)%Z /\ ((z * e + c) mod P = 0)%Z).
    { intros z Hz. apply filter_In in Hz. destruct Hz as (Hz & E). apply words_in in Hz. apply Z.eqb_eq in E.
      split; [unfold P; lia | exact E]. }
    rewrite <- (map_length (fun z => Z.to_nat (z / P)) l), <- (seq_length 9 0). apply NoDup_incl_length.
    + clearbody l. induction ND as [| z l Hz ND IH]; simpl; [constructor |]. constructor.
      * intros H. apply in_map_iff in H. destruct H as (y & E & Hy).
        destruct (HL z) as (Bz & Ez); [left; reflexivity |]. destruct (HL y) as (By & Ey); [right; exact Hy |].
        apply Hz. replace z with y; [exact Hy |].
        assert (D : (P | (y - z) * e)%Z).
        { apply Z.mod_divide in Ez, Ey; try discriminate. replace ((y - z) * e)%Z with ((y * e + c) - (z * e + c))%Z by ring.
          apply Z.divide_sub_r; assumption. }
        apply prime_mult in D; [| exact P_prime]. destruct D as [D | D].
        -- assert (Hq : (y / P = z / P)%Z).
           { apply Z2Nat.inj; [apply Z.div_pos; unfold P in *; lia | apply Z.div_pos; unfold P in *; lia | exact E]. }
           pose proof (Z.div_mod y P ltac:(discriminate)). pose proof (Z.div_mod z P ltac:(discriminate)).
           pose proof (Z.mod_pos_bound y P ltac:(reflexivity)). pose proof (Z.mod_pos_bound z P ltac:(reflexivity)).
           destruct D as (k & D). rewrite Hq in H. assert (Z.abs (y - z) < P)%Z by lia.
           assert (k = 0%Z) by nia. subst k. lia.
        -- exfalso. apply Z.mod_divide in D; [| discriminate]. apply Z.eqb_neq in He. contradiction.
      * apply IH. intros y Hy. apply HL. right. exact Hy.
    + intros i Hi. apply in_map_iff in Hi. destruct Hi as (z & <- & Hz). apply HL in Hz. destruct Hz as (Hz & _).
      apply in_seq. assert (0 <= z / P < 9)%Z; [| lia].
      split; [apply Z.div_pos; unfold P in *; lia | apply Z.div_lt_upper_bound; unfold P in *; lia].
  - rewrite words_length, INR_IZR_INZ, two_64_is. rewrite (pow_IZR 2 64). f_equal.
Qed.

(* The errors of one entry of an output, by channel and position, one of them not 0: the equation holds of a wrong gradient with
   at most 18 / 2^64. *)
Theorem linear_check_misses errors row m : In row errors -> length row = m ->
  (exists e, In e row /\ e <> 0%Z /\ (Z.abs e < P)%Z) ->
  draws words m (fun b => draws words (length errors) (fun u => when (residue_zero (dot u (map (dot b) errors)))))
    <= 18 / 2 ^ 64 /\ 18 / 2 ^ 64 < (/ 2) ^ 59.
Proof.
  intros Hrow Hm (e & He & He0 & Hep). split; [| lra].
  assert (NE : words <> []).
  { intros E. apply (f_equal (@length Z)) in E. rewrite words_length in E. pose proof two_64_is as W. simpl length in E. rewrite E in W. discriminate. }
  eapply Rle_trans; [apply bilinear with (row := row) (beta := 9 / 2 ^ 64) (beta' := 9 / 2 ^ 64); auto |].
  - unfold residue_zero. intros z x c Hx. apply Z.eqb_eq in Hx. f_equal.
    rewrite Zplus_mod, Zmult_mod, Hx, Z.mul_0_r. change (0 mod P)%Z with 0%Z. rewrite Z.add_0_l, Zmod_mod. reflexivity.
  - intros; apply word_few; assumption.
  - intros; apply word_few; assumption.
  - lra.
  - exists e. split; [exact He | apply error_seen; assumption].
  - lra.
Qed.
End Words.

(* There is such a number. *)
Lemma words_exist : exists n : nat, Z.of_nat n = (2 ^ 64)%Z.
Proof. exists (Z.to_nat (2 ^ 64)). apply Z2Nat.id. apply Z.pow_nonneg. discriminate. Qed.
