# Sourced by run.sh: the cost of a connection over the modem, as the service reports it under systemd, with and without
# an administrator's rules. One watch of the service runs through all of it.
# shellcheck shell=bash
. "$job/service.sh"

rules=/etc/pathmonitor/pathmonitord.conf.d/50-test.conf
followed=/run/followed.jsonl
summary='[.isExpensive, .isConstrained, .cost.confidence]'

# rule LINE...: the only rule there is; without lines there is none. It counts when the reload has returned.
rule() {
    write_rule "$@"
    systemctl reload pathmonitord.service || fail 'the service can be reloaded' 0 $?
}
# mistaken_rule LINE...: the same for a rule with a mistake, of which the reload is to complain.
mistaken_rule() {
    write_rule "$@"
    systemctl reload pathmonitord.service
    is 'a reload with a mistake is no success' 1 $?
}
write_rule() {
    rm -f $rules
    (($#)) && printf '%s\n' "$@" >$rules
}

# says WHAT FILTER EXPECTED: a value of the path of the service.
says() { is "$1" "$3" "$(served status --json | jq -rc "$2")"; }
told() { wc -l <$followed; }
told_more_than() { (($(told) > $1)); }
last() { tail -n 1 $followed | jq -rc "$1"; }
last_is() { [ "$(last "$1")" = "$2" ]; }
last_is_served() { [ "$(last "$same" | jq -Sc .)" = "$(served status --json | jq -Sc "$same")" ]; }
# the_watch_gets NUMBER WHAT COMMAND...: the command causes so many updates, and there is no other in the second after
# it.
the_watch_gets() {
    local before
    within 10 last_is_served
    before=$(told)
    "${@:3}"
    (($1)) && within 10 told_more_than $((before + $1 - 1))
    sleep 1
    is "$2" "$1" $(($(told) - before))
}
# connection: the only socket of the watch.
connection() { find "/proc/$follower/fd" -type l -printf '%l\n' | grep '^socket:' | paste -sd ' '; }
# checks_are WHAT 'STATUS...' REQUIREMENT...: the exit status of `check --condition` for each.
checks_are() {
    local requirement statuses=()
    for requirement in "${@:3}"; do
        served check --condition "$requirement"
        statuses+=($?)
    done
    is "$1" "$2" "${statuses[*]}"
}
# explained WHAT LINE...: the evidence of the service has these lines, one below the other.
explained() {
    local lines steps
    lines=$(printf '%s\n' "${@:2}") steps=$(served explain | sed 's/^  //')
    if [[ $'\n'$steps$'\n' == *$'\n'$lines$'\n'* ]]; then pass "$1"
    else fail "$1" "$lines" "$(grep -A 3 '^cost of' <<<"$steps")"; fi
}

# MARK: Detected cost
install_files
mkdir -p "$(dirname $rules)"
modprobe wwan_hwsim devices=1; udevadm settle
within 10 test -e /sys/class/net/wwan0
ip link set wwan0 up; ip addr add 198.51.100.2/32 dev wwan0; ip route add default dev wwan0 metric 100
start_service
service=$(pid)
says 'the service says that the path is cellular' "$verdict" 'satisfied cellular'
says 'it is expensive, for certain' "$summary" '[true,false,"certain"]'
explained 'which its explanation shows in the table' \
    'cost of the path: metered (certain), unconstrained' \
    '  * certain  expensive  interfaceType  wwan0 is a cellular interface'
checks_are 'it is not unmetered, but unconstrained' '1 1 0 0' unmetered unmetered-known unconstrained cellular,connected
/usr/bin/pathctl watch --json >$followed 2>/run/followed-errors & follower=$!
within 20 test -s $followed
is 'the watch begins with it' '[true,false,"certain"]' "$(last "$summary")"
connected=$(connection)
is 'over one connection' 1 "$(wc -w <<<"$connected")"

# MARK: A rule sets the cost
the_watch_gets 1 'a rule makes one update' rule '[Match]' Type=cellular '[Path]' Expensive=no
is 'that it is not expensive, as a user said' '[false,false,"user"]' "$(last "$summary")"
is 'and that the cost is what has changed' '["cost","interfaces","isExpensive"]' "$(last '.changed | sort')"
says 'the status says so, too' "$summary" '[false,false,"user"]'
explained 'and the explanation, with file and line, above what was found out' \
    'cost of the path: unmetered (user), unconstrained' \
    "  * user     notExpensive  configuration  Expensive=no for wwan0 in $rules:4" \
    '    certain  expensive     interfaceType  wwan0 is a cellular interface'
checks_are 'now it is unmetered, which is known' '0 0 0' unmetered unmetered-known unconstrained
the_watch_gets 0 'a reload of the same rule makes no update' systemctl reload pathmonitord.service
the_watch_gets 0 'nor does one that says the same by the name' rule '[Match]' 'Name=wwan*' '[Path]' Expensive=no
the_watch_gets 0 'with a mistake it counts as it was: no update' mistaken_rule '[Match]' 'Name=wwan*' '[Path]' Expensive=never
says 'so it is not expensive' "$summary" '[false,false,"user"]'
journal_has "$rules, line 4: 'never' is no value for Expensive=" pathmonitord.service
is 'and the journal tells the place of the mistake' 0 $?
the_watch_gets 1 'without the rule there is one update' rule
is 'that it is expensive again, for certain' '[true,false,"certain"]' "$(last "$summary")"
checks_are 'and it is not unmetered again' '1 1 0' unmetered unmetered-known unconstrained
the_watch_gets 0 'a rule for what is not there makes no update' rule '[Match]' Type=wifi '[Path]' Expensive=no

# MARK: A rule asks to save data
the_watch_gets 1 'a rule that constrains makes one update' rule '[Match]' 'Name=wwan*' '[Path]' Constrained=yes
is 'the path is constrained, and as expensive as before' '[true,true,"certain"]' "$(last "$summary")"
checks_are 'it is not unconstrained' '1 1' unmetered unconstrained
explained 'which the explanation shows' \
    'cost of the path: metered (certain), constrained' \
    "  * user     constrained  configuration  Constrained=yes for wwan0 in $rules:4" \
    '  * certain  expensive    interfaceType  wwan0 is a cellular interface'
the_watch_gets 1 'without the rule there is one update' rule
is 'that it is as it was' '[true,false,"certain"]' "$(last "$summary")"

# MARK: A tunnel over the modem
if ip link add wg0 type wireguard 2>/dev/null; then
    (umask 077; wg genkey >/run/key)
    wg set wg0 private-key /run/key peer "$(wg genkey | wg pubkey)" \
        endpoint 203.0.113.1:51820 allowed-ips 0.0.0.0/0
    ip route add 203.0.113.1/32 dev wwan0
    ip addr add 10.9.0.2/32 dev wg0; ip link set wg0 up
    ip route add default dev wg0 metric 50
    within 10 last_is '[.usesTunnel, .interfaces[0].name]' '[true,"wg0"]'
    says 'the path of a tunnel over the modem costs what the modem does' "$summary" '[true,false,"certain"]'
    the_watch_gets 1 'a rule on the modem makes one update' rule '[Match]' 'Name=wwan*' '[Path]' Expensive=no
    is 'the tunnel costs what the rule says of the modem' '[true,[false,false,"user"]]' \
        "$(last "[.usesTunnel, $summary]")"
    the_watch_gets 1 'the same rule on the tunnel instead makes one update' \
        rule '[Match]' Name=wg0 '[Path]' Expensive=no
    is 'the tunnel is as before, and the modem is expensive' '[["wg0",false],["wwan0",true]]' \
        "$(last '[.interfaces[] | [.name, .isExpensive]]')"
    rule
    ip link del wg0
    within 10 last_is '[.usesTunnel, .interfaces[0].name]' '[false,"wwan0"]'
    says 'without rule and tunnel it is as it was' "$summary" '[true,false,"certain"]'
else
    skip 'a tunnel over the modem' 'the kernel has no wireguard'
fi

# MARK: A rule ignores the interface
the_watch_gets 1 'a rule that ignores the modem makes one update' rule '[Match]' Type=cellular '[Path]' Ignore=yes
is 'there is no path, though the kernel sends over it' '["unsatisfied","overridden",[],false]' \
    "$(last '[.status, .unsatisfiedReason, .interfaces, .isExpensive]')"
checks_are 'nobody is connected, nor unmetered' '1 1 0' connected unmetered offline
is 'the explanation names the rule' 1 "$(served explain | grep -cF "; Ignore=yes in $rules:4")"
# The cable must not change by itself later on, as link-local addresses do after duplicate address detection.
sysctl -qw net.ipv6.conf.default.disable_ipv6=1
make_uplink
within 10 last_is "$verdict" 'satisfied wiredEthernet'
says 'a cable beside it is a path, without the modem' '[.interfaceType, .isExpensive, [.interfaces[].name]]' \
    '["wiredEthernet",false,["wire"]]'
the_watch_gets 1 'without the rule there is one update' rule
is 'the modem is behind the cable, and only the modem is expensive' '[false,[["wire",false],["wwan0",true]]]' \
    "$(last '[.isExpensive, [.interfaces[] | [.name, .isExpensive]]]')"
ip link del wire; ip netns del far
within 10 last_is "$verdict" 'satisfied cellular'
says 'without the cable the modem costs what it did' "$summary" '[true,false,"certain"]'

# MARK: The watch stayed connected through all reloads
is 'the service is the one that was started' "active $service" "$(state pathmonitord.service) $(pid)"
is 'the watch has the connection that it began with' "$connected" "$(connection)"
is 'the numbers of its updates have no gap' "$(seq 0 $(($(told) - 1)) | paste -sd ' ')" \
    "$(jq .sequence $followed | paste -sd ' ')"
is 'no two of them in a row are equal' '' "$(jq -Sc "$same" $followed | uniq -d)"
within 10 last_is_served
is 'its last is what the service says' "$(served status --json | jq -Sc "$same")" "$(last "$same" | jq -Sc .)"
is 'it has nothing to complain of' '' "$(cat /run/followed-errors)"
kill $follower; wait $follower
is 'and ends with the signal that ends it' 143 $?
