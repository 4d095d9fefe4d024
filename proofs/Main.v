(* The theorems that README.md names, and what each rests on: check.sh reads what this prints. *)
From Limit Require Import Tree Machines Block Formula Bound Limit Results Grid Prime Chance Identity Winograd.

Print Assumptions any_order.
Print Assumptions limit.
Print Assumptions result_in_interval.
Print Assumptions no_overflow.
Print Assumptions exact_in_every_order.
Print Assumptions every_sum_is_exact_S.
Print Assumptions P_prime.
Print Assumptions identity_input.
Print Assumptions identity_weight.
Print Assumptions linear_check_misses.
Print Assumptions prove_misses.
Print Assumptions runs_suffice.
Print Assumptions winograd.
Print Assumptions winograd_forms.
