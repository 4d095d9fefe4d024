(* The row for Winograd's method: linear transforms of both operands, products, their sum, a linear transform of that. Bound:
   gamma_R S_w with R = T + 2 (alpha_B + alpha_G + alpha_A), without what underflow costs. *)
From Coq Require Import Reals Lra Lia List ZArith QArith.
From Limit Require Import Tree.
Import ListNotations.
Open Scope R_scope.

(* An expression as it is evaluated, each operation with its computed value v; [k] roundings where a constant is multiplied:
   0 for a power of two, 1 for another FLOAT, 2 where the constant itself is rounded. *)
Inductive expr :=
| Input (x : R)
| Plus (v : R) (x y : expr)
| Times (v : R) (x y : expr)
| Scale (v c : R) (k : nat) (x : expr).

Definition computed e := match e with Input x => x | Plus v _ _ => v | Times v _ _ => v | Scale v _ _ _ => v end.
Fixpoint meant e := match e with
  | Input x => x | Plus _ x y => meant x + meant y | Times _ x y => meant x * meant y | Scale _ c _ x => c * meant x end.
(* The same with magnitudes everywhere: S_w. *)
Fixpoint size e := match e with
  | Input x => Rabs x | Plus _ x y => size x + size y | Times _ x y => size x * size y | Scale _ c _ x => Rabs c * size x end.
(* Roundings on the longest way; both ways count where a product has two factors that were rounded. *)
Fixpoint depth e := match e with
  | Input _ => 0 | Plus _ x y => S (max (depth x) (depth y)) | Times _ x y => S (depth x + depth y)
  | Scale _ _ k x => k + depth x end%nat.

Section Rounded.
Variable u : R.
Hypothesis u_pos : 0 <= u.

Fixpoint rounds e := match e with
  | Input _ => True
  | Plus v x y => rounds x /\ rounds y /\ Rabs (v - (computed x + computed y)) <= u * Rabs (computed x + computed y)
  | Times v x y => rounds x /\ rounds y /\ Rabs (v - computed x * computed y) <= u * Rabs (computed x * computed y)
  | Scale v c k x => rounds x /\ Rabs (v - c * computed x) <= ((1 + u) ^ k - 1) * Rabs (c * computed x)
  end.

Lemma size_pos e : 0 <= size e.
Proof.
  induction e; simpl; try apply Rabs_pos; try lra; apply Rmult_le_pos; auto. apply Rabs_pos.
Qed.

Lemma meant_le e : Rabs (meant e) <= size e.
Proof.
  induction e; simpl; [lra | | |].
  - eapply Rle_trans; [apply Rabs_triang | lra].
  - rewrite Rabs_mult. apply Rmult_le_compat; auto; apply Rabs_pos.
  - rewrite Rabs_mult. apply Rmult_le_compat_l; [apply Rabs_pos | assumption].
Qed.

(* One more operation with relative error g - 1 on something that is off by (P - 1) S. *)
Lemma step g P v x s S : 1 <= g -> 0 <= S -> Rabs s <= S -> Rabs (x - s) <= (P - 1) * S ->
  Rabs (v - x) <= (g - 1) * Rabs x -> Rabs (v - s) <= (g * P - 1) * S.
Proof.
  intros Hg HS Hs Hx Hv. assert (H1 : Rabs (v - s) <= Rabs (v - x) + Rabs (x - s)).
  { replace (v - s) with ((v - x) + (x - s)) by ring. apply Rabs_triang. }
  assert (H2 : Rabs x <= P * S).
  { replace x with ((x - s) + s) by ring. eapply Rle_trans; [apply Rabs_triang |]. lra. }
  assert ((g - 1) * Rabs x <= (g - 1) * (P * S)) by (apply Rmult_le_compat_l; lra). lra.
Qed.

Theorem any_expression e : rounds e -> Rabs (computed e - meant e) <= ((1 + u) ^ depth e - 1) * size e.
Proof.
  assert (G : forall n, 1 <= (1 + u) ^ n) by (intros; apply pow_R1_Rle; lra).
  induction e as [x | v x IHx y IHy | v x IHx y IHy | v c k x IHx]; cbn [rounds computed meant size depth].
  - intros _. rewrite Rminus_eq_0, Rabs_R0. simpl. lra.
  - intros (Hx & Hy & Hv). specialize (IHx Hx). specialize (IHy Hy).
    pose proof (size_pos x). pose proof (size_pos y). pose proof (meant_le x). pose proof (meant_le y).
    apply (step (1 + u) ((1 + u) ^ max (depth x) (depth y)) v (computed x + computed y)); try lra.
    + eapply Rle_trans; [apply Rabs_triang | lra].
    + replace (computed x + computed y - (meant x + meant y)) with ((computed x - meant x) + (computed y - meant y)) by ring.
      eapply Rle_trans; [apply Rabs_triang |].
      assert ((1 + u) ^ depth x <= (1 + u) ^ max (depth x) (depth y)) by (apply Rle_pow; [lra | lia]).
      assert ((1 + u) ^ depth y <= (1 + u) ^ max (depth x) (depth y)) by (apply Rle_pow; [lra | lia]).
      assert (((1 + u) ^ depth x - 1) * size x <= ((1 + u) ^ max (depth x) (depth y) - 1) * size x) by (apply Rmult_le_compat_r; lra).
      assert (((1 + u) ^ depth y - 1) * size y <= ((1 + u) ^ max (depth x) (depth y) - 1) * size y) by (apply Rmult_le_compat_r; lra).
      lra.
  - intros (Hx & Hy & Hv). specialize (IHx Hx). specialize (IHy Hy).
    pose proof (size_pos x). pose proof (size_pos y). pose proof (meant_le x). pose proof (meant_le y).
    pose proof (Rabs_pos (computed x - meant x)). pose proof (Rabs_pos (computed y - meant y)). pose proof (Rabs_pos (meant x)).
    pose proof (Rabs_pos (meant y)).
    apply (step (1 + u) ((1 + u) ^ (depth x + depth y)) v (computed x * computed y)); try lra.
    + apply Rmult_le_pos; lra.
    + rewrite Rabs_mult. apply Rmult_le_compat; lra.
    + set (px := (1 + u) ^ depth x) in *. set (py := (1 + u) ^ depth y) in *. rewrite pow_add. fold px py.
      replace (computed x * computed y - meant x * meant y) with
        ((computed x - meant x) * (computed y - meant y) + (computed x - meant x) * meant y + meant x * (computed y - meant y)) by ring.
      eapply Rle_trans; [apply Rabs_triang |]. eapply Rle_trans; [apply Rplus_le_compat_r, Rabs_triang |]. rewrite !Rabs_mult.
      pose proof (G (depth x)). pose proof (G (depth y)). fold px in H7. fold py in H8.
      assert (Rabs (computed x - meant x) * Rabs (computed y - meant y) <= ((px - 1) * size x) * ((py - 1) * size y))
        by (apply Rmult_le_compat; lra).
      assert (Rabs (computed x - meant x) * Rabs (meant y) <= ((px - 1) * size x) * size y) by (apply Rmult_le_compat; lra).
      assert (Rabs (meant x) * Rabs (computed y - meant y) <= size x * ((py - 1) * size y)) by (apply Rmult_le_compat; lra).
      lra.
  - intros (Hx & Hv). specialize (IHx Hx). pose proof (size_pos x). pose proof (meant_le x). rewrite pow_add.
    pose proof (Rabs_pos c). apply (step ((1 + u) ^ k) ((1 + u) ^ depth x) v (c * computed x)); auto.
    + apply Rmult_le_pos; lra.
    + rewrite Rabs_mult. apply Rmult_le_compat_l; lra.
    + replace (c * computed x - c * meant x) with (c * (computed x - meant x)) by ring. rewrite Rabs_mult.
      assert (Rabs c * Rabs (computed x - meant x) <= Rabs c * (((1 + u) ^ depth x - 1) * size x)) by (apply Rmult_le_compat_l; lra).
      lra.
Qed.
End Rounded.

(* Sums of any number of parts in any order, as trees of [Plus]: one part fewer is the most that lies on a way. *)
Inductive adds : list expr -> expr -> Prop :=
| adds_one x : adds [x] x
| adds_two v xs ys x y : adds xs x -> adds ys y -> adds (xs ++ ys) (Plus v x y).

Lemma adds_depth n xs x : adds xs x -> (forall y, In y xs -> (depth y <= n)%nat) -> (1 <= length xs)%nat /\ (depth x <= n + (length xs - 1))%nat.
Proof.
  induction 1 as [x | v xs ys x y _ IHx _ IHy]; intros H; simpl.
  - split; [lia |]. specialize (H x (or_introl eq_refl)). lia.
  - destruct IHx as (? & ?); [intros z Hz; apply H, in_or_app; auto |]. destruct IHy as (? & ?); [intros z Hz; apply H, in_or_app; auto |].
    rewrite app_length. lia.
Qed.

(* A row of a matrix applied: its entries that are not zero, each a constant, added in any order. *)
Definition mu (q : Q) : nat :=  (* of 0, 1/4, 5, 1/6 ...: powers of two 0, other FLOATs 1, others 2 *)
  if Pos.eqb (Qden q) (Pos.shiftl 1 (N.log2 (Npos (Qden q)))) then
    if Z.eqb (Z.abs (Qnum q)) (2 ^ Z.log2 (Z.abs (Qnum q))) then 0 else 1
  else 2.
Definition entries (row : list Q) := filter (fun q => negb (Z.eqb (Qnum q) 0)) row.
Definition row_alpha row := (length (entries row) - 1 + fold_right (fun q m => max (mu q) m) 0 (entries row))%nat.
Definition alpha (matrix : list (list Q)) := fold_right (fun row m => max (row_alpha row) m) 0%nat matrix.

Inductive applies (row : list Q) (xs : list expr) : expr -> Prop :=
| applies_row ys x : adds ys x -> length ys = length (entries row) ->
    (forall y, In y ys -> exists q z v c, In q (entries row) /\ In z xs /\ y = Scale v c (mu q) z) -> applies row xs x.

Lemma applies_depth row xs x n : applies row xs x -> (forall z, In z xs -> (depth z <= n)%nat) -> (depth x <= n + row_alpha row)%nat.
Proof.
  intros [ys x' Ha Hl Hy] Hz. unfold row_alpha. set (m := fold_right (fun q m => max (mu q) m) 0%nat (entries row)).
  assert (HM : forall q, In q (entries row) -> (mu q <= m)%nat).
  { unfold m. clear. induction (entries row) as [| q l IH]; simpl; [tauto |]. intros q' [<- | H]; [lia |]. specialize (IH q' H). lia. }
  destruct (adds_depth (n + m) ys x' Ha) as (_ & H); [| lia].
  intros y H. destruct (Hy y H) as (q & z & v & c & Hq & Hz' & ->). simpl. specialize (HM q Hq). specialize (Hz z Hz'). lia.
Qed.

Lemma row_le_alpha row matrix : In row matrix -> (row_alpha row <= alpha matrix)%nat.
Proof. induction matrix as [| r l IH]; simpl; [tauto |]. intros [<- | H]; [lia | specialize (IH H); lia]. Qed.

(* Twice a matrix: rows, then columns. *)
Definition twice (matrix : list (list Q)) (xs : list expr) x :=
  exists row row' ys, In row matrix /\ In row' matrix /\ applies row' ys x /\
    forall y, In y ys -> applies row xs y.

Lemma twice_depth matrix xs x n : twice matrix xs x -> (forall z, In z xs -> (depth z <= n)%nat) ->
  (depth x <= n + 2 * alpha matrix)%nat.
Proof.
  intros (row & row' & ys & Hr & Hr' & Hx & Hy) Hz. apply row_le_alpha in Hr, Hr'.
  pose proof (applies_depth row' ys x (n + row_alpha row) Hx) as H.
  assert (depth x <= n + row_alpha row + row_alpha row')%nat; [| lia].
  apply H. intros y Hin. apply (applies_depth row xs y n (Hy y Hin) Hz).
Qed.

(* An output of one tile: sums of T products of two transformed inputs, transformed. *)
Definition output B G A (T : nat) x :=
  exists ms, twice A ms x /\ forall m, In m ms -> exists ps, adds ps m /\ length ps = T /\
    forall p, In p ps -> exists v d g ds gs, p = Times v d g /\ twice B ds d /\ twice G gs g /\
      forall z, In z (ds ++ gs) -> exists r, z = Input r.

Theorem winograd_depth B G A T x : (1 <= T)%nat -> output B G A T x ->
  (depth x <= T + 2 * (alpha B + alpha G + alpha A))%nat.
Proof.
  intros HT (ms & Hx & Hm).
  assert (H : (depth x <= (2 * alpha B + 2 * alpha G + T) + 2 * alpha A)%nat); [| lia].
  apply (twice_depth A ms x _ Hx). intros m Hin. destruct (Hm m Hin) as (ps & Ha & Hl & Hp).
  destruct (adds_depth (S (2 * alpha B + 2 * alpha G)) ps m Ha) as (_ & H); [| lia].
  intros p Hpin. destruct (Hp p Hpin) as (v & d & g & ds & gs & -> & Hd & Hg & Hi). simpl.
  assert (Z : forall z, In z (ds ++ gs) -> (depth z <= 0)%nat) by (intros z Hz; destruct (Hi z Hz) as (r & ->); simpl; lia).
  pose proof (twice_depth B ds d 0 Hd ltac:(intros; apply Z, in_or_app; auto)).
  pose proof (twice_depth G gs g 0 Hg ltac:(intros; apply Z, in_or_app; auto)). lia.
Qed.

Theorem winograd u B G A T x : 0 <= u -> (1 <= T)%nat -> output B G A T x -> rounds u x ->
  let R := (T + 2 * (alpha B + alpha G + alpha A))%nat in INR R * u < 1 ->
  Rabs (computed x - meant x) <= gamma u R * size x.
Proof.
  intros Hu HT Ho Hr R HR. eapply Rle_trans; [apply (any_expression u Hu x Hr) |]. apply Rmult_le_compat_r; [apply size_pos |].
  assert ((1 + u) ^ depth x <= (1 + u) ^ R) by (apply Rle_pow; [lra | apply winograd_depth; assumption]).
  pose proof (pow_gamma u R Hu HR). lra.
Qed.

(* The forms of the table: F(3,2), F(2,3), F(4,3). *)
Open Scope Q_scope.
Definition B4 := [[1; 0; -1; 0]; [0; 1; 1; 0]; [0; -1; 1; 0]; [0; 1; 0; -1]].
Definition B6 := [[4; 0; -5; 0; 1; 0]; [0; -4; -4; 1; 1; 0]; [0; 4; -4; -1; 1; 0]; [0; -2; -1; 2; 1; 0]; [0; 2; -1; -2; 1; 0]; [0; 4; 0; -5; 0; 1]].
Definition G32 := [[1; 0]; [1; 1]; [1; -1]; [0; -1]].
Definition A32 := [[1; 1#2; 1#2; 0]; [0; 1#2; -1#2; 0]; [0; 1#2; 1#2; 1]].
Definition G23 := [[1; 0; 0]; [1#2; 1#2; 1#2]; [1#2; -1#2; 1#2]; [0; 0; 1]].
Definition A23 := [[1; 1; 1; 0]; [0; 1; -1; -1]].
Definition G43 := [[1#4; 0; 0]; [-1#6; -1#6; -1#6]; [-1#6; 1#6; -1#6]; [1#24; 1#12; 1#6]; [1#24; -1#12; 1#6]; [0; 0; 1]].
Definition A43 := [[1; 1; 1; 1; 1; 0]; [0; 1; -1; 2; -2; 0]; [0; 1; 1; 4; 4; 0]; [0; 1; -1; 8; -8; 1]].

Theorem winograd_forms :
  (2 * (alpha B4 + alpha G32 + alpha A32) = 8 /\ 2 * (alpha B4 + alpha G23 + alpha A23) = 10 /\
   2 * (alpha B6 + alpha G43 + alpha A43) = 22)%nat.
Proof. vm_compute. auto. Qed.
