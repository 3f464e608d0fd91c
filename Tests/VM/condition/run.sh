#!/bin/bash
# ExecCondition=pathctl check --condition: the unit runs, is skipped, or fails; a mistake never skips it.
set -u
job=$(cd "$(dirname "$0")" && pwd)
. "$job/service.sh"
serve_uplink
stand_in restic 'echo "$*" >>/run/backups'
install_example backup.service backup.timer
: >/run/backups

# outcome: starts the unit; the exit status of the start, the unit's state and result, and how often it has run so far.
# Only the journal shows the result of a skipped unit, because systemd forgets the unit at once.
outcome() {
    systemctl reset-failed backup.service 2>/dev/null
    systemctl start backup.service 2>/dev/null
    echo "$? $(state backup.service) $(property backup.service Result) $(wc -l </run/backups)"
}
is 'unmetered, it runs' '0 inactive success 1' "$(outcome)"
is 'with its arguments' 'backup /home' "$(tail -n 1 /run/backups)"
served override set isExpensive true
is 'metered, it is skipped, which is no failure' '0 inactive success 1' "$(outcome)"
skips() { journal backup.service | grep -cF "Skipped due to 'exec-condition'"; }
is 'and the journal says so' 1 "$(skips)"
served override clear
unplug
within 10 served_verdict_is 'unsatisfied linkDownRoute' || within 1 served_verdict_is 'unsatisfied noCarrier'
is 'offline, it is skipped too' '0 inactive success 1' "$(outcome)"
is 'which the journal says' 2 "$(skips)"
plug
within 10 served_verdict_is 'satisfied wiredEthernet'
is 'and runs when the path is back' '0 inactive success 2' "$(outcome)"

# mistaken WHAT COMMAND MESSAGE
mistaken() {
    drop_in backup.service '[Service]' ExecCondition= "ExecCondition=$2"
    is "$1 fails the unit" '1 failed exit-code 2' "$(outcome)"
    journal_has "$3" backup.service
    is "$1 is told in the journal" 0 $?
}
mistaken 'a word that is none' '/usr/bin/pathctl check --condition unmeterd' "did you mean 'unmetered'"
mistaken 'a verb that is none' '/usr/bin/pathctl chekc --condition unmetered' "there is no verb 'chekc'"
mistaken 'an option that is none' '/usr/bin/pathctl check --conditoin unmetered' "did you mean '--condition'"
mistaken 'a missing requirement' '/usr/bin/pathctl check --condition' 'REQUIREMENT is missing'
systemctl stop pathmonitord.socket pathmonitord.service
mistaken 'a cost that nobody can know' '/usr/bin/pathctl check --condition unmetered' 'cannot be known without the service'
systemctl start pathmonitord.socket
rm -r /etc/systemd/system/backup.service.d

# MARK: A stop while it runs
stand_in restic 'exec sleep infinity'
systemctl --no-block start backup.service
within 20 eval 'pgrep -fx "sleep infinity" >/dev/null'
is 'a backup runs once the service is back' 0 $?
systemctl stop backup.service
is 'a backup that is stopped has not failed, and its command is gone' 'inactive 0' \
    "$(state backup.service) $(pgrep -cfx 'sleep infinity')"
stand_in restic 'echo "$*" >>/run/backups'

# MARK: By the timer
drop_in backup.timer '[Timer]' OnCalendar= OnActiveSec=1s OnUnitInactiveSec=2s AccuracySec=100ms RandomizedDelaySec=0 \
    Persistent=no
served override set isExpensive true
systemctl start backup.timer
skipped() { [ "$(skips)" -gt 3 ]; }
within 30 skipped
is 'the timer has it skipped while it is metered, and tries again' '2 backups, skipped' \
    "$(wc -l </run/backups) backups, $(skipped && echo skipped)"
served override clear
systemctl restart backup.timer
within 20 eval '[ "$(wc -l </run/backups)" -ge 3 ]'
is 'and runs it when it is not' yes "$([ "$(wc -l </run/backups)" -ge 3 ] && echo yes)"
finish
