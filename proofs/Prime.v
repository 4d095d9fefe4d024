(* 2^61 - 1 is prime: the powers of 37 are 2^61 - 2 different residues modulo any of its divisors (E. Lucas's test). *)
From Coq Require Import ZArith Znumtheory Lia List Bool.
Import ListNotations.
Open Scope Z_scope.

Definition P := 2 ^ 61 - 1.
Definition factors := [2; 3; 5; 7; 11; 13; 31; 41; 61; 151; 331; 1321].

(* b^e modulo m, by squaring. *)
Fixpoint power (m b : Z) (e : positive) : Z :=
  match e with
  | xH => b mod m
  | xO e => let s := power m b e in s * s mod m
  | xI e => let s := power m b e in (s * s mod m) * b mod m
  end.

Lemma power_mod m b e : m <> 0 -> power m b e = b ^ Zpos e mod m.
Proof.
  intros Hm. induction e; simpl power.
  - rewrite IHe, Pos2Z.inj_xI, Z.pow_add_r, Z.pow_mul_r, Z.pow_1_r by lia. rewrite (Z.pow_2_r b), Z.pow_mul_l.
    rewrite <- Zmult_mod, Zmult_mod_idemp_l. reflexivity.
  - rewrite IHe, Pos2Z.inj_xO, Z.pow_mul_r by lia. rewrite (Z.pow_2_r b), Z.pow_mul_l, <- Zmult_mod. reflexivity.
  - rewrite Z.pow_1_r. reflexivity.
Qed.

(* Of as many different small numbers as there are. *)
Lemma pigeons (n m : nat) (f : nat -> nat) :
  (forall i, (i < n)%nat -> (f i < m)%nat) ->
  (forall i j, (i < n)%nat -> (j < n)%nat -> f i = f j -> i = j) -> (n <= m)%nat.
Proof.
  intros Hf Hi. rewrite <- (seq_length n 0), <- (map_length f), <- (seq_length m 0). apply NoDup_incl_length.
  - assert (H : forall l, NoDup l -> (forall i, In i l -> (i < n)%nat) -> NoDup (map f l)).
    { induction l as [| i l IH]; simpl; intros HN Hl; [constructor |]. inversion HN; subst. constructor.
      - intros HI. apply in_map_iff in HI. destruct HI as (j & E & Hj). apply Hi in E; auto. subst. contradiction.
      - apply IH; auto. }
    apply H; [apply seq_NoDup |]. intros i Hin. apply in_seq in Hin. lia.
  - intros x Hx. apply in_map_iff in Hx. destruct Hx as (i & <- & Hin). apply in_seq in Hin. apply in_seq.
    specialize (Hf i ltac:(lia)). lia.
Qed.

(* The divisors of n above 1 meet its prime factors. *)
Lemma prime_in_product q l : prime q -> (q | fold_right Z.mul 1 l) -> exists x, In x l /\ (q | x).
Proof.
  intros Hq. induction l as [| x l IH]; simpl; intros H.
  - exfalso. destruct Hq as (H1 & _). apply Z.divide_1_r_nonneg in H; lia.
  - apply prime_mult in H; [| exact Hq]. destruct H as [H | H]; [exists x; auto |]. destruct (IH H) as (y & ? & ?). eauto.
Qed.

Lemma has_prime_divisor : forall k n, 1 < n < Z.of_nat k -> exists q, prime q /\ (q | n).
Proof.
  induction k as [| k IH]; [lia |]. intros n Hn. destruct (prime_dec n) as [Hp | Hp]; [exists n; split; [exact Hp | apply Z.divide_refl] |].
  destruct (not_prime_divide n ltac:(lia) Hp) as (d & Hd & Hdn). destruct (IH d ltac:(lia)) as (q & Hq & Hqd).
  exists q. split; [exact Hq | apply Z.divide_trans with d; auto].
Qed.

Section Order.
Variables (r a N : Z) (qs : list Z).
Hypothesis r_big : 1 < r.
Hypothesis N_pos : 0 < N.
Definition is_one k := (r | a ^ k - 1).
Hypothesis whole : is_one N.
Hypothesis all_primes : forall q, prime q -> (q | N) -> In q qs.
Hypothesis no_less : forall q, In q qs -> ~ is_one (N / q).

Lemma one_plus j k : 0 <= j -> 0 <= k -> is_one j -> is_one k -> is_one (j + k).
Proof.
  unfold is_one. intros Hj Hk (x & Hx) (y & Hy). rewrite Z.pow_add_r by lia. exists (a ^ j * y + x).
  replace (a ^ j * a ^ k - 1) with (a ^ j * (a ^ k - 1) + (a ^ j - 1)) by ring. rewrite Hx, Hy. ring.
Qed.

Lemma one_minus j k : 0 <= j -> 0 <= k -> is_one (j + k) -> is_one k -> is_one j.
Proof.
  unfold is_one. intros Hj Hk (x & Hx) (y & Hy). rewrite Z.pow_add_r in Hx by lia. exists (x - a ^ j * y).
  replace (a ^ j - 1) with ((a ^ j * a ^ k - 1) - a ^ j * (a ^ k - 1)) by ring. rewrite Hx, Hy. ring.
Qed.

Lemma one_times k c : 0 <= k -> 0 <= c -> is_one k -> is_one (k * c).
Proof.
  intros Hk Hc H. revert c Hc. apply natlike_ind.
  - rewrite Z.mul_0_r. unfold is_one. simpl. apply Z.divide_0_r.
  - intros c Hc IH. rewrite Z.mul_succ_r. apply one_plus; auto. nia.
Qed.

Lemma one_gcd : forall n k j, (Z.to_nat k <= n)%nat -> 0 <= k -> 0 <= j -> is_one k -> is_one j -> is_one (Z.gcd k j).
Proof.
  induction n as [| n IH]; intros k j Hn Hk Hj H1 H2.
  - replace k with 0 by lia. rewrite Z.gcd_0_l, Z.abs_eq by lia. exact H2.
  - destruct (Z.eq_dec k 0) as [-> | Hk0]; [rewrite Z.gcd_0_l, Z.abs_eq by lia; exact H2 |].
    rewrite <- Z.gcd_mod by lia. pose proof (Z.mod_pos_bound j k ltac:(lia)) as HB.
    apply IH; auto; try lia. apply one_minus with (k := k * (j / k)); try lia.
    + apply Z.mul_nonneg_nonneg; [lia | apply Z.div_pos; lia].
    + rewrite Z.add_comm, <- Z.div_mod by lia. exact H2.
    + apply one_times; auto. apply Z.div_pos; lia.
Qed.

(* No smaller power is 1, so that powers below the N-th differ. *)
Lemma none_smaller k : 0 < k < N -> ~ is_one k.
Proof.
  intros Hk H. pose proof (one_gcd (Z.to_nat k) k N (le_n _) ltac:(lia) ltac:(lia) H whole) as HG.
  set (g := Z.gcd k N) in *. destruct (Z.gcd_divide_r k N) as (m & Hm). destruct (Z.gcd_divide_l k N) as (m' & Hm'). fold g in Hm, Hm'.
  pose proof (Z.gcd_nonneg k N) as Hg0. fold g in Hg0. clearbody g.
  assert (Hg : 0 < g) by (destruct (Z.eq_dec g 0) as [E |]; [rewrite E in Hm; lia | lia]). assert (0 < m') by nia.
  assert (Hgk : g <= k) by nia.
  assert (Hm1 : 1 < m) by nia.
  destruct (has_prime_divisor (S (Z.to_nat m)) m ltac:(lia)) as (q & Hq & c & Hc).
  assert (HqN : (q | N)) by (exists (c * g); rewrite Hm, Hc; ring).
  apply (no_less q); [apply all_primes; auto |]. assert (0 < q) by (destruct Hq; lia).
  replace (N / q) with (g * c); [apply one_times; [lia | nia | exact HG] |].
  rewrite Hm, Hc. replace (c * q * g) with (g * c * q) by ring. symmetry. apply Z.div_mul. lia.
Qed.

Lemma powers_differ i j : 0 <= i < j -> j < N -> a ^ i mod r <> a ^ j mod r.
Proof.
  intros Hi Hj E. apply (none_smaller (j - i)); [lia |].
  assert (HE : (r | a ^ j - a ^ i)).
  { exists (a ^ j / r - a ^ i / r). rewrite (Z.div_mod (a ^ j) r) at 1 by lia. rewrite (Z.div_mod (a ^ i) r) at 1 by lia. lia. }
  destruct HE as (x & Hx). destruct whole as (y & Hy). unfold is_one.
  replace (a ^ j) with (a ^ i * a ^ (j - i)) in Hx by (rewrite <- Z.pow_add_r by lia; f_equal; lia).
  replace (a ^ N) with (a ^ (N - i) * a ^ i) in Hy by (rewrite <- Z.pow_add_r by lia; f_equal; lia).
  exists (a ^ (N - i) * x - y * (a ^ (j - i) - 1)).
  replace ((a ^ (N - i) * x - y * (a ^ (j - i) - 1)) * r) with (a ^ (N - i) * (x * r) - y * r * (a ^ (j - i) - 1)) by ring.
  rewrite <- Hx, <- Hy. ring.
Qed.

Lemma order_le : N <= r.
Proof.
  apply Z2Nat.inj_le; try lia. apply pigeons with (f := fun i => Z.to_nat (a ^ Z.of_nat i mod r)).
  - intros i Hi. pose proof (Z.mod_pos_bound (a ^ Z.of_nat i) r ltac:(lia)). lia.
  - intros i j Hi Hj E. pose proof (Z.mod_pos_bound (a ^ Z.of_nat i) r ltac:(lia)).
    pose proof (Z.mod_pos_bound (a ^ Z.of_nat j) r ltac:(lia)). apply Z2Nat.inj in E; try lia.
    destruct (Nat.lt_trichotomy i j) as [L | [L | L]]; [exfalso | exact L | exfalso].
    + apply (powers_differ (Z.of_nat i) (Z.of_nat j)); lia.
    + apply (powers_differ (Z.of_nat j) (Z.of_nat i)); lia.
Qed.
End Order.

Definition seems_prime x := (1 <? x) && forallb (fun d => negb (x mod Z.of_nat d =? 0)) (seq 2 (Z.to_nat x - 2)).

Lemma small_prime x : seems_prime x = true -> prime x.
Proof.
  intros H. apply andb_prop in H. destruct H as (H1 & H2). apply Z.ltb_lt in H1. apply prime_alt. split; [exact H1 |].
  intros n Hn Hd. rewrite forallb_forall in H2. specialize (H2 (Z.to_nat n)). rewrite Z2Nat.id in H2 by lia.
  apply Zdivide_mod in Hd. rewrite Hd in H2. discriminate H2. apply in_seq. lia.
Qed.

Definition with_repeats := [2; 3; 3; 5; 5; 7; 11; 13; 31; 41; 61; 151; 331; 1321].

Lemma divides_power r k : (r | P) -> 0 < k -> (is_one r 37 k <-> (r | power P 37 (Z.to_pos k) - 1)).
Proof.
  intros Hr Hk. rewrite power_mod, Z2Pos.id by (try lia; discriminate). unfold is_one.
  assert (E : 37 ^ k - 1 = (37 ^ k mod P - 1) + P * (37 ^ k / P)).
  { rewrite (Z.div_mod (37 ^ k) P) at 1 by discriminate. ring. }
  rewrite E. split; intros H.
  - apply (Z.divide_add_cancel_r _ _ _ (Z.divide_mul_l _ _ (37 ^ k / P) Hr)). rewrite Z.add_comm. exact H.
  - apply Z.divide_add_r; [exact H | apply Z.divide_mul_l; exact Hr].
Qed.

Theorem P_prime : prime P.
Proof.
  apply prime_alt. split; [reflexivity |]. intros r Hr Hd.
  assert (H : P - 1 <= r).
  { apply order_le with (a := 37) (qs := factors); try lia.
    - apply divides_power; [exact Hd | reflexivity |].
      replace (power P 37 (Z.to_pos (P - 1))) with 1 by (vm_compute; reflexivity). apply Z.divide_0_r.
    - intros q Hq Hqn. assert (E : P - 1 = fold_right Z.mul 1 with_repeats) by (vm_compute; reflexivity). rewrite E in Hqn.
      destruct (prime_in_product q _ Hq Hqn) as (x & Hx & Hqx).
      assert (Hxp : prime x /\ In x factors).
      { assert (A : forallb (fun x => seems_prime x && existsb (Z.eqb x) factors) with_repeats = true) by (vm_compute; reflexivity).
        rewrite forallb_forall in A. specialize (A x Hx). apply andb_prop in A. destruct A as (A & B).
        split; [apply small_prime; exact A |]. apply existsb_exists in B. destruct B as (y & Hy & Ey). apply Z.eqb_eq in Ey. subst. exact Hy. }
      destruct Hxp as (Hxp & Hin). apply prime_div_prime in Hqx; auto. subst. exact Hin.
    - intros q Hq H. assert (A : forallb (fun q => (0 <? (P - 1) / q) && (Z.gcd (power P 37 (Z.to_pos ((P - 1) / q)) - 1) P =? 1)) factors = true)
        by (vm_compute; reflexivity).
      rewrite forallb_forall in A. specialize (A q Hq). apply andb_prop in A. destruct A as (A & B).
      apply Z.ltb_lt in A. apply Z.eqb_eq in B. apply divides_power in H; [| exact Hd | exact A].
      pose proof (Z.gcd_greatest _ _ _ H Hd) as G. rewrite B in G. apply Z.divide_1_r_nonneg in G; lia. }
  assert (E : r = P - 1) by lia. subst r. destruct Hd as (c & Hc). assert (c < 2) by nia. assert (0 < c) by nia. nia.
Qed.
