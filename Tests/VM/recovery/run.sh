#!/bin/bash
# Programs that follow the path notice nothing when the service is killed, hangs, or reads its configuration again. One
# watch runs through all of it.
set -u
job=$(cd "$(dirname "$0")" && pwd)
. "$job/service.sh"
install_files
make_uplink
ip route add 198.51.100.0/24 via 192.0.2.1 dev wire
start_service
pathctl watch --json >/run/followed.jsonl 2>/run/watch-errors & watch=$!
last() { tail -n 1 /run/followed.jsonl | jq -rc "$verdict + \" \" + .knowledge"; }
last_is() { [ "$(last)" = "$1" ]; }

# follows WHAT: the first watch reports that the cable is pulled and put back.
follows() {
    unplug
    within 30 last_is 'unsatisfied noCarrier known'
    is "$1: the watch tells of the loss" 'unsatisfied noCarrier known' "$(last)"
    plug
    within 30 last_is 'satisfied wiredEthernet known'
    is "$1: and of the return" 'satisfied wiredEthernet known' "$(last)"
    is "$1: it is the same watch" yes "$(kill -0 $watch && echo yes)"
}
complaints() { wc -l </run/watch-errors; }
within 20 last_is 'satisfied wiredEthernet known'
follows 'at first'
is 'it has nothing to complain of' 0 "$(complaints)"

# MARK: kill -9
served override set isConstrained true --why 'to be kept'
within 20 eval 'tail -n 1 /run/followed.jsonl | jq -e .isConstrained >/dev/null'
rounds=8 back=0
for ((round = 0; round < rounds; round++)); do
    old=$(pid)
    kill -9 "$old"
    within 20 has_restarted "$old" && back=$((back + 1))
done
is 'a service that is killed is back' "$rounds of $rounds times" "$back of $rounds times"
is 'without a start limit' '' "$(start_limits)"
served_verdict >/dev/null
follows 'after kill -9'
is 'overrides are kept' true "$(served status --json | jq .isConstrained)"
served override clear
within 20 eval 'tail -n 1 /run/followed.jsonl | jq -e ".isConstrained | not" >/dev/null'
if (($(complaints) <= rounds)); then pass 'the watch has complained once for each at most'
else fail 'the watch has complained once for each at most' "$rounds lines" "$(cat /run/watch-errors)"; fi

# MARK: A hang
old=$(pid)
kill -STOP "$old"
# WatchdogSec= of the unit is two minutes.
within 240 has_restarted "$old"
is 'a service that hangs is replaced' 'active and another' \
    "$(state pathmonitord.service) and $([ "$(pid)" = "$old" ] && echo the same || echo another)"
journal_has 'Watchdog timeout' pathmonitord.service
is 'as its watchdog has noticed' 0 $?
follows 'after the hang'

# MARK: A reload
complained=$(complaints)
old=$(pid)
mkdir -p /etc/pathmonitor
rounds=10 right=0
for ((round = 0; round < rounds; round++)); do
    # There is no route to 203.0.113.5: with it as the probe there is no path, as soon as the reload has returned.
    if ((round % 2)); then probe=198.51.100.1 expected=satisfied; else probe=203.0.113.5 expected=unsatisfied; fi
    ((round == 0)) && ip route del default
    printf '%s\n' '[Monitor]' "SampleAddress=$probe" >/etc/pathmonitor/pathmonitord.conf
    systemctl reload pathmonitord.service || continue
    [ "$(served status --json | jq -r .status)" = $expected ] && right=$((right + 1))
done
is 'when a reload has returned, it is done' "$rounds of $rounds times" "$right of $rounds times"
is 'the service is the same' "active $old" "$(state pathmonitord.service) $(pid)"
follows 'after reloads'
printf '%s\n' '[Monitor]' SampleAddress=router >/etc/pathmonitor/pathmonitord.conf
systemctl reload pathmonitord.service
is 'a mistake in the configuration fails the reload and changes nothing' "1 active $old satisfied" \
    "$? $(state pathmonitord.service) $(pid) $(served status --json | jq -r .status)"
journal_has "line 2: 'router' is no address for SampleAddress=" pathmonitord.service
is 'and is told in the journal, with its place' 0 $?
served health | grep -q "^configuration: .*line 2: 'router' is no address for SampleAddress="
is 'and with the health' 0 $?
is 'and with the status of the unit' 1 "$(property pathmonitord.service StatusText | grep -c '1 configuration file has a mistake')"
rm /etc/pathmonitor/pathmonitord.conf
ip route add default via 192.0.2.1 dev wire
systemctl reload pathmonitord.service
is 'the watch has not noticed any of this' "$complained" "$(complaints)"

# MARK: A restart
old=$(pid)
systemctl restart pathmonitord.service
within 20 has_restarted "$old"
follows 'after a restart'
is 'in the end it knows what the kernel says' "$(path "$same" | jq -Sc .)" \
    "$(tail -n 1 /run/followed.jsonl | jq -Sc "$same")"
# Another cause is an update, too: a service that has restarted does not know which link was in use before.
cause='[.diagnosis.code, .diagnosis.subject] as $cause'
is 'no two paths in a row are equal' '' "$(jq -Sc "$cause | $same | .cause = \$cause" /run/followed.jsonl | uniq -d)"
kill $watch; wait $watch
is 'the watch ends with the signal that ends it' 143 $?
sed 's/^/# /' /run/watch-errors
finish
