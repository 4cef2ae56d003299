#!/usr/bin/env bash
# Starts Slurm on this machine, plays a tournament as an array of eight jobs, and checks that
# their games are, one by one, those of the same tournament played in one piece.
#
#   apt-get install slurmctld slurmd slurm-client munge
#   cargo build --release
#   sudo cluster/check_slurm.sh [target/release/gdl]
#
# Needs root and the Slurm of Debian or Ubuntu, but not systemd. All files are in a temporary
# folder, and everything that was started is stopped at the end. One of the jobs is ended while it
# plays, and continues later. With RAY=1, Ray also plays the tournament, in a job of its own; PYTHON
# is then an interpreter that has the package with its extra `ray`.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
gdl=$(realpath "${1:-$here/../target/release/gdl}")
nodes=4
work=$(mktemp -d)
chmod 755 "$work"
started=()

stop() {
    for process in "${started[@]}"; do
        kill "$process" 2>/dev/null || true
    done
    wait
    rm -rf "$work"
}
trap stop EXIT

# Waits until a command succeeds, for ten minutes.
await() {
    for _ in $(seq 1200); do
        if "$@" >/dev/null 2>&1; then
            return
        fi
        sleep 0.5
    done
    echo "timed out: $*" >&2
    tail -n 20 "$work"/*.log >&2
    exit 1
}

start_slurm() {
    dd if=/dev/urandom of="$work/munge.key" bs=1024 count=1 status=none
    chmod 600 "$work/munge.key"
    munged --force --foreground --key-file="$work/munge.key" --socket="$work/munge.socket" \
        --pid-file="$work/munged.pid" --seed-file="$work/munge.seed" --log-file="$work/munged.log" 2>/dev/null &
    started+=($!)
    cat >"$work/slurm.conf" <<CONF
ClusterName=check
SlurmctldHost=$(hostname -s)(127.0.0.1)
SlurmctldPort=16817
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$work/munge.socket
CommunicationParameters=NoInAddrAny
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool.%n
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.%n.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=$work/slurmd.%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
SlurmdTimeout=10
ReturnToService=2
NodeName=node[1-$nodes] NodeHostname=$(hostname -s) NodeAddr=127.0.0.1 Port=[17001-1700$nodes] CPUs=2
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF
    export SLURM_CONF=$work/slurm.conf
    mkdir "$work/state"
    await test -S "$work/munge.socket"
    slurmctld -D 2>/dev/null &
    started+=($!)
    for node in $(seq $nodes); do
        mkdir "$work/spool.node$node"
        slurmd -D -N "node$node" 2>/dev/null &
        started+=($!)
    done
    await idle_nodes
}

idle_nodes() {
    test "$(sinfo --noheader --Node --states=idle | wc -l)" -eq $nodes
}

# Whether the journals of a job have games.
plays() {
    test "$(cat "$1"/*."$2".jsonl | wc -l)" -gt 3
}

pending() {
    test "$(squeue --noheader --job "$1" --format=%T)" = PENDING
}

no_jobs() {
    test -z "$(squeue --noheader)"
}

# The games in a folder, by contest, without the seconds that they took.
games() {
    for journal in "$1"/*.jsonl; do
        contest=$(basename "$journal" .jsonl | sed -E 's/\.[0-9]+of[0-9]+$//')
        tail -n +2 "$journal" | sed -E "s/\"seconds\":[0-9.e-]+/\"seconds\":0/g; s/^/$contest /"
    done | sort
}

# The results of the games in a folder, without rates.
figures() {
    "$gdl" results "$1" --json | sed -E 's/"simulations_per_second":[0-9.e-]+/"simulations_per_second":0/g' | sort
}

cd "$work"
cat >table.toml <<TABLE
games = 24
simulations = 100
rules = ["connect_four"]
agents = ["uct", "uct+mast", "uct+rave", "uct+grave", "random"]
TABLE
start_slurm
sinfo
echo "one piece:"
"$gdl" tournament table.toml --out whole --one-by-one 2>/dev/null

export GDL=$gdl
job=$(sbatch --parsable --array=1-8 --chdir="$work" "$here/tournament.sbatch" table.toml shards --one-by-one)
await plays shards 1of8
scontrol requeue "${job}_1"
echo "job ${job}_1 was ended after $(games shards | wc -l) games of all jobs, and plays on"
await pending "${job}_1"
# Slurm would let it wait for two minutes.
scontrol update JobId="${job}_1" StartTime=now
await no_jobs
echo "the array of 8:"
ls shards
"$gdl" results shards
test "$(games shards | uniq -d | wc -l)" -eq 0
cmp <(games whole) <(games shards)
cmp <(figures whole) <(figures shards)
echo "$(games shards | wc -l) games: the union of the shards is the tournament in one piece"

if [ "${RAY:-0}" = 1 ]; then
    sbatch --nodes=2 --cpus-per-task=2 --chdir="$work" "$here/ray.sbatch" table.toml ray --one-by-one
    await no_jobs
    cmp <(games whole) <(games ray)
    cmp <(figures whole) <(figures ray)
    echo "$(games ray | wc -l) games: what Ray played in a job of two machines is the same"
fi
