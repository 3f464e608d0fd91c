# Sourced by every job's run.sh, in the VM. Results are printed in the style of TAP.
#
# Checks wait for the state they are about, with a limit; they do not guess how long something takes.
# shellcheck shell=bash
job=$(cd "$(dirname "$0")" && pwd)
pathctl=/run/pathctl-under-test
# The job's folder is slow to page in, so the program runs from the VM's memory.
install -m755 "$job/pathctl" $pathctl || exit 1
# The output of a watch that shows every change at once, and of one that waits for a change to settle.
updates=/run/updates.jsonl settled=/run/settled.jsonl
checks=0 failures=0 mark=0

# MARK: Results

pass() { checks=$((checks + 1)); echo "ok - $1"; }

# fail WHAT EXPECTED GOT
fail() {
    checks=$((checks + 1)) failures=$((failures + 1))
    echo "not ok - $1: expected $2, got $3"
    $pathctl explain --direct 2>&1 | sed 's/^/#     /'
}

# skip WHAT WHY: something that this kernel or image does not have.
skip() { pass "$1 # SKIP $2"; }

# is WHAT EXPECTED GOT
is() { if [ "$2" = "$3" ]; then pass "$1"; else fail "$1" "$2" "$3"; fi; }

# finish: the plan, and the exit status of the job. The output of the watches is kept beside the console.
finish() {
    [ -d "${OUT:-}" ] && cp /run/*.jsonl "$OUT" 2>/dev/null
    echo "1..$checks"
    exit $((failures > 0))
}

# within SECONDS COMMAND...: waits until the command succeeds.
within() {
    local deadline=$((${EPOCHREALTIME/./} + $1 * 1000000)); shift
    until "$@"; do
        ((${EPOCHREALTIME/./} < deadline)) || return 1
        sleep 0.05
    done
}

# MARK: The path as it is now

# path FILTER: a value of the fresh path, by a jq filter.
path() { $pathctl status --json --direct | jq -rc "$1"; }

# path_is WHAT FILTER EXPECTED
path_is() { is "$1" "$3" "$(path "$2")"; }

verdict='.status + (if .unsatisfiedReason then " " + .unsatisfiedReason else "" end)
    + (if .interfaceType then " " + .interfaceType else "" end)'

# comes_to WHAT EXPECTED: the fresh verdict ("unsatisfied noCarrier", "satisfied wifi") gets there in 10 s.
comes_to() {
    within 10 verdict_is "$2"
    is "$1" "$2" "$(path "$verdict")"
}
verdict_is() { [ "$(path "$verdict")" = "$1" ]; }

# interface NAME FILTER: a value of an interface as `pathctl interfaces` lists it.
interface() {
    $pathctl interfaces --json --direct |
        jq -rc --arg name "$1" ".interfaces[] | select(.name == \$name) | $2"
}

# type_is WHAT NAME EXPECTED
type_is() { is "$1" "$3" "$(interface "$2" .type)"; }

# explains WHAT TEXT: a line of the explanation has the text.
explains() {
    if $pathctl explain --direct | grep -qF -- "$2"; then pass "$1"; else fail "$1" "'$2' in the explanation" 'none'; fi
}

# MARK: The updates that the watches print

start_watch() {
    $pathctl watch --json --direct --settle 0 >$updates 2>/run/watch-errors &
    watch=$!
    $pathctl watch --json --direct --settle 1s >$settled 2>>/run/watch-errors &
    settled_watch=$!
    if within 10 test -s $updates && within 10 test -s $settled; then pass 'both watches print the path at their start'
    else fail 'both watches print the path at their start' 'a line' "$(cat /run/watch-errors)"; fi
}

# set_mark: what follows is about the updates from here on.
set_mark() { mark=$(wc -l <$updates); }
marked() { tail -n "+$((mark + 1))" $updates; }
marked_verdicts() { marked | jq -r "$verdict" | uniq | paste -sd, ; }
has_update() { marked | jq -e -n "any(inputs; $1)" >/dev/null; }

# announces SECONDS WHAT VERDICT: an update since the mark says so.
announces() {
    if within "$1" has_update "($verdict) == \"$3\""; then pass "$2"
    else fail "$2" "an update '$3' in $1 s" "$(marked_verdicts)"; fi
}

# never WHAT VERDICT: no update since the mark begins with the verdict.
never() {
    if has_update "$verdict | startswith(\"$2\")"; then fail "$1" "no '$2'" "$(marked_verdicts)"; else pass "$1"; fi
}

# is_silent WHAT: no update since the mark, nor in the second that follows.
is_silent() {
    sleep 1
    is "$1" '' "$(marked)"
}

same='del(.sequence, .boottimeMicroseconds, .changed, .diagnosis, .furtherDiagnoses)'
last_is_fresh() { # sets fresh, and of the first watch that differs: file, announced
    fresh=$(path "$same" | jq -Sc .)
    for file in $updates $settled; do
        announced=$(tail -n 1 $file | jq -Sc "$same")
        [ "$announced" = "$fresh" ] || return 1
    done
}

# agrees WHEN: the watches live, and their last lines are what a fresh status says.
agrees() {
    local what="the last updates equal a fresh status $1"
    if ! kill -0 $watch $settled_watch; then fail "$what" 'watches that run' "$(cat /run/watch-errors)"
    elif within 20 last_is_fresh; then pass "$what"
    else fail "$what" "$fresh" "$announced ($(basename "$file"))"; fi
}

# MARK: The machine

# operstate_is NAME STATE
operstate_is() { [ "$(cat "/sys/class/net/$1/operstate")" = "$2" ]; }

# await_operstate NAME STATE: for the job to go on; a failure when it never comes.
await_operstate() {
    within 30 operstate_is "$1" "$2" ||
        fail "$1 becomes $2 (not about the program)" "$2" "$(cat "/sys/class/net/$1/operstate")"
}

# serve_dhcp NAMESPACE LINK: a DHCP server, whose configuration is read from the input. It runs as root: AppArmor and
# the server's own user only know the usual places.
serve_dhcp() {
    cat >/run/dhcpd.conf
    : >/run/dhcpd.leases
    ip netns exec "$1" dhcpd -4 -q -cf /run/dhcpd.conf -lf /run/dhcpd.leases -pf /run/dhcpd.pid "$2" 2>/run/dhcpd.log ||
        fail 'the DHCP server runs (not about the program)' 'a server' "$(tail -n 3 /run/dhcpd.log)"
}

# unpack_packages: puts the packages of the job into place and runs none of their scripts, which would start services.
# What only the scripts need is not there, and dpkg does not ask for it.
unpack_packages() { dpkg --unpack --force-depends "$job"/*.deb >/run/dpkg.log 2>&1 && ldconfig; }

# needs WHAT COMMAND...: ends the job as skipped when the VM lacks something.
needs() {
    "${@:2}" >/dev/null 2>&1 && return
    skip "$(basename "$job")" "the VM has no $1"
    finish
}
