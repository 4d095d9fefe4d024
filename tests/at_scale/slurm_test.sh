#!/usr/bin/env bash
# The scripts of docs/at-scale on a Slurm of our own: an array of eight parts, one of which is requeued while it runs, under
# a slurmd that is killed once, ends with the report of a run in one process.
#   slurm_test.sh PROGRAM SCRIPTS
# Starts slurmctld and slurmd on the loopback interface, without munge, systemd and cgroups, on free ports, in a folder of
# its own, and stops what it started however it ends. No wait is without a bound. Exit code 77: skipped, with the reason.
set -euo pipefail
program=$1 scripts=$2
shards=8
work_options=(--no-stored --cases 6000 --seed 17)

skip() { echo "skipped: $*"; exit 77; }
fail() { echo "$*"; show_logs; exit 1; }

for command in slurmctld slurmd sbatch scontrol squeue sinfo; do
  PATH=$PATH:/usr/sbin command -v $command >/dev/null || skip "$command is not installed (Debian: slurm-wlm)"
done
PATH=$PATH:/usr/sbin
[ "$(id -u)" -eq 0 ] || skip "slurmd starts jobs for others only as root"

work=$(mktemp -d)
export SLURM_CONF=$work/slurm.conf
# Daemons and jobs inherit it: what carries it is ours to end.
export GRADPROOF_SLURM_TEST=$work
export GRADPROOF=$program

own_processes() {
  local folder process
  for folder in /proc/[0-9]*; do
    process=${folder#/proc/}
    [ "$process" != $$ ] && [ "$process" != "$BASHPID" ] || continue
    grep -qsz "^GRADPROOF_SLURM_TEST=$work\$" "$folder/environ" && echo "$process"
  done
  return 0
}

end_all() {
  local process tries
  for tries in $(seq 50); do
    local left
    left=$(own_processes)
    [ -n "$left" ] || break
    for process in $left; do kill -KILL "$process" 2>/dev/null || true; done
    sleep 0.1
  done
  rm -rf "$work"
}
trap end_all EXIT
trap 'exit 143' INT TERM

show_logs() {
  local log
  for log in "$work"/*.log "$work"/out/*.log; do
    [ -s "$log" ] || continue
    echo "--- $log"
    tail -n 15 "$log"
  done
}

# within SECONDS COMMAND...: until it succeeds; false when the time is over.
within() {
  local end=$((SECONDS + $1))
  shift
  until "$@"; do
    [ $SECONDS -lt $end ] || return 1
    sleep 0.2
  done
}

# Clients wait long for a controller that is gone.
ask() { timeout 20 "$@" 2>>"$work/clients.log"; }

free_port() {
  local port
  while :; do
    port=$((20000 + RANDOM % 30000))
    (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null || break
  done
  echo "$port"
}

configure() {
  local host
  host=$(hostname -s)
  mkdir -p "$work/state" "$work/spool"
  cat >"$SLURM_CONF" <<EOF
ClusterName=gradproof
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$(free_port)
SlurmdPort=$(free_port)
SlurmUser=root
SlurmdUser=root
AuthType=auth/none
AuthInfo=cred_expire=5
CredType=cred/none
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
SchedulerType=sched/builtin
SchedulerParameters=sched_interval=2,batch_sched_delay=0
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
KillWait=2
SlurmdTimeout=600
ReturnToService=2
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=$work/slurmd.log
NodeName=$host NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=tests Nodes=ALL Default=YES MaxTime=INFINITE State=UP
EOF
}

process_is_gone() { ! kill -0 "$1" 2>/dev/null; }
controller_answers() { ask scontrol ping | grep -q ' is UP'; }
node_is_idle() { ask sinfo --noheader --format=%t | grep -qE '^(idle|mix|alloc)$'; }

start_slurmd() {
  slurmd -D >>"$work/slurmd.out.log" 2>&1 &
  slurmd=$!
  disown
}

# A port may be taken between the choice and the start: chosen again then.
start_daemons() {
  local try controller
  for try in 1 2 3; do
    configure
    slurmctld -D -i >>"$work/slurmctld.out.log" 2>&1 &
    controller=$!
    disown
    start_slurmd
    within 30 controller_answers && within 30 node_is_idle && return
    kill -KILL "$controller" "$slurmd" 2>/dev/null || true
  done
  show_logs
  skip "Slurm's daemons do not run here (logs above)"
}

a_part_is_at_work() {
  local results
  for results in "$work"/out/part*/results.jsonl; do
    [ -s "$results" ] || continue
    return
  done
  return 1
}

# What an operator does after a daemon has died: a node that was drained comes back, jobs that were held are let go.
tend() {
  local job
  ask sinfo --noheader --format=%t | grep -q '^\(drain\|drng\|down\)' &&
    ask scontrol update "nodename=$(hostname -s)" state=resume
  for job in $(ask squeue --noheader --array --states=PENDING --format='%i %r' | grep -i held | cut -d ' ' -f 1); do
    ask scontrol release "$job"
  done
  return 0
}

job_states() { ask squeue --noheader --array --states=all "--jobs=$1" --format=%T; }
merge_has_ended() {
  tend
  local states
  states=$(job_states "$merge") && [ -n "$states" ] && ! grep -qvE 'COMPLETED|FAILED' <<<"$states"
}
slurmd_answers() { ask scontrol show slurmd >/dev/null; }

start_daemons
merge=$(ask "$scripts/slurm_submit.sh" $shards "$work/out" "${work_options[@]}") || fail "the jobs cannot be submitted"
array=$((merge - 1))

within 120 a_part_is_at_work || fail "no part has written anything"
kill -KILL "$slurmd"
within 10 process_is_gone "$slurmd" || fail "slurmd does not die"
start_slurmd
within 60 slurmd_answers || fail "slurmd does not come back"

# A task that runs, or else one that has ended: Slurm runs either again.
task=$(ask squeue --noheader --array --states=RUNNING "--jobs=$array" --format=%K | head -n 1)
part=part${task:-1}
ask scontrol requeue "${array}_${part#part}" || fail "$part cannot be requeued"

"$program" verify "${work_options[@]}" --jobs 1 --quiet --out "$work/whole" >"$work/whole.txt"
"$program" report "$work/whole" --write "json=$work/whole.json" >"$work/whole.txt"

within 240 merge_has_ended || { ask squeue; fail "the jobs have not ended"; }
[ -s "$work/out/report.json" ] || fail "there is no merged report"
# Where the results come from differs from run to run.
without_origins() { sed '/^ "runs": \[/,/^ \],/d' "$1"; }
cmp <(without_origins "$work/whole.json") <(without_origins "$work/out/report.json") ||
  fail "the merged report is not that of the run in one process"
grep -q 'restart [1-9]' "$work/out/$part/tasks.txt" || fail "$part was not run again: $(cat "$work/out/$part/tasks.txt")"
echo "$shards parts in Slurm's array, slurmd killed once, $part requeued${task:+ while it ran}: $(cat "$work/out/merge.log")"
