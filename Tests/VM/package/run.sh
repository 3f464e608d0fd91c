#!/bin/bash
# The Debian package on a machine without an earlier version. It works after the installation. An upgrade keeps the
# configuration and disturbs no client. After removal and purge nothing is left.
set -u
job=$(cd "$(dirname "$0")" && pwd)
. "$job/service.sh"
needs 'package: make deb' test -e "$job"/pathmonitor_*.deb
export DEBIAN_FRONTEND=noninteractive
package=/run/pathmonitor-package
mkdir $package
cp "$job"/pathmonitor_*.deb $package/first.deb
# Every installed system has it but this image: nothing else is to be installed with the package.
dpkg -i "$job"/libsqlite3-0_*.deb >/dev/null
make_uplink
units=(pathmonitord.socket pathmonitord.service pathmonitor-targets.service)
configuration=/etc/pathmonitor/pathmonitord.conf

# files: all files but those that system programs write, and those of this job.
files() {
    find / -xdev \( -path /proc -o -path /sys -o -path /dev -o -path /tmp -o -path /mnt -o -path /var/log -o -path /var/cache \
        -o -path /var/lib/dpkg -o -path /var/lib/apt -o -path /var/tmp \) -prune -o -print
    # A file system of its own.
    find /run -mindepth 1 \( -path /run/systemd -o -path /run/udev -o -path /run/log -o -path /run/lock -o -path $package \
        -o -path '/run/job-*' -o -path /run/netns \) -prune -o -print
} 2>/dev/null
files | sort >/run/job-before
: >/run/job-after

# MARK: Installation
apt-get install -qq -y --no-install-recommends $package/first.deb >/run/job-apt.log 2>&1
is 'it can be installed with nothing else' 0 "$?$(grep -E '^(E|dpkg: error)' /run/job-apt.log)"
is 'its files are as they were packed' '' "$(dpkg --verify pathmonitor)"
becomes 30 'socket and targets are on' 'active active' pathmonitord.socket pathmonitor-targets.service
is 'also after the next boot' 'enabled enabled' \
    "$(systemctl is-enabled pathmonitord.socket pathmonitor-targets.service | paste -sd ' ')"
warm_up
is 'the first question is answered' 'satisfied wiredEthernet' "$(served_verdict)"
is 'and the service says so' active "$(state pathmonitord.service)"
is 'systemd-analyze verify has nothing to say' '' \
    "$(systemd-analyze verify --man=no "${units[@]}" path-online.target path-unmetered.target 2>&1)"
becomes 30 'the targets follow the path' 'active active' path-online.target path-unmetered.target
is 'there are the groups of those who may override, and of the service' 'pathmonitor pathmonitor-state' \
    "$(getent group pathmonitor pathmonitor-state | cut -d: -f1 | paste -sd ' ')"
is 'and the folder for overrides' '775 root pathmonitor-state' "$(stat -c '%a %U %G' /run/pathmonitord)"
is 'there is a folder for rules, and no configuration file' 'yes no' \
    "$([ -d $configuration.d ] && echo yes) $([ -e $configuration ] && echo yes || echo no)"
for page in man1/pathctl.1 man8/pathmonitord.8 man5/pathmonitor.conf.5; do
    is "the manual has ${page#*/}" yes "$([ -f "/usr/share/man/$page.gz" ] && echo yes)"
done

# What units and documents refer to is there, by exactly that name.
texts=$(dpkg -L pathmonitor | grep -E '/systemd/system/|/examples/|[.]md$')
missing() {
    # One without an extension may stand for several files, as in name.{service,timer}.
    grep -hoE '/usr/share/doc/pathmonitor/[A-Za-z0-9_./-]+' $texts | sed 's/[.]*$//' | sort -u |
        while read -r path; do
            [ -e "$path" ] || { [[ $path != *.* ]] && compgen -G "$path.*" >/dev/null; } || echo "$path"
        done
    grep -hE '^Documentation=' $texts | grep -oE 'man:[^ ]+' | sort -u | while read -r page; do
        section=${page##*\(}; page=${page#man:}
        [ -e "/usr/share/man/man${section%)}/${page%\(*}.${section%)}.gz" ] || echo "$page"
    done
}
is 'every document and page that they name is there' '' "$(missing)"

# MARK: Upgrade
dpkg-deb -R $package/first.deb $package/tree
sed -i 's/^\(Version: .*\)/\1+upgrade/' $package/tree/DEBIAN/control
dpkg-deb -Znone -b $package/tree $package/second.deb >/dev/null
printf '%s\n' '[Monitor]' 'Settle=300ms' >$configuration
systemctl reload pathmonitord.service
served override set isConstrained true --why 'to be kept'
pathctl watch --json >/run/job-watch 2>/run/job-watch-errors & watch=$!
within 20 test -s /run/job-watch
moments() { property path-online.target ActiveEnterTimestampMonotonic; property path-unmetered.target ActiveEnterTimestampMonotonic; }
before=$(moments) old=$(pid)
dpkg -i $package/second.deb >/run/job-apt.log 2>&1 </dev/null
is 'it can be upgraded' '0 install ok installed +upgrade' \
    "$? $(dpkg-query -W -f '${Status} ${Version}' pathmonitor | sed 's/installed .*+/installed +/')"
is 'which keeps the configuration' '[Monitor] Settle=300ms' "$(paste -sd ' ' $configuration)"
within 30 has_restarted "$old"
is 'the service is the new one' 'active another' \
    "$(state pathmonitord.service) $([ "$(pid)" = "$old" ] && echo 'the same' || echo another)"
is 'overrides are kept' true "$(served status --json | jq .isConstrained)"
is 'the targets have not moved' "$before" "$(moments)"
is 'and what drives them runs' active "$(state pathmonitor-targets.service)"
unplug
within 30 eval 'tail -n 1 /run/job-watch | jq -e ".status == \"unsatisfied\" and .knowledge == \"known\"" >/dev/null'
is 'who has followed the path from before still does' 'unsatisfied known' \
    "$(tail -n 1 /run/job-watch | jq -r '"\(.status) \(.knowledge)"')"
plug
kill $watch; wait $watch

# MARK: Removal
# Everything that the package can start runs: each unit that can be enabled, and a program of the hooks that does not
# end by itself.
mkdir -p /etc/pathmonitor/hooks.d
printf '%s\n' '#!/bin/sh' 'trap "" TERM' 'echo $$ >/run/job-hook' 'while :; do sleep 1; done' >/etc/pathmonitor/hooks.d/50-endless
chmod 755 /etc/pathmonitor/hooks.d/50-endless
systemctl enable --quiet --now pathmonitor-hooks.service pathmonitor-history.service pathmonitor-validation.service \
    pathmonitor-connections.service
# ours: the processes of the package, by their programs and by the units that have started them.
ours() {
    { readlink /proc/[0-9]*/exe | grep -E '^/usr/(bin/pathctl|bin/pathmonitord|libexec/pathmonitor/)'
        grep -hoE '(path-|pathmonitor)[^/]*[.](service|socket)' /proc/[0-9]*/cgroup; } 2>/dev/null | sort -u | paste -sd ' '
}
all_run() {
    local unit found; found=$(ours)
    for unit in pathmonitor-hooks.service pathmonitor-history.service pathmonitor-validation.service \
        pathmonitor-connections.service pathmonitor-targets.service; do
        [[ $found = *"$unit"* ]] || return
    done
    test -s /run/job-hook
}
# A verdict as the validator reports it, for the target of validated paths. It lives as long as the call.
reported='{"state":"validated","evidence":[{"source":"host","verdict":"validated","family":null,"when":1,"text":"a host"}]}'
{ printf '{"method":"io.pathmonitor.PathMonitor.ReportValidation","more":true,"parameters":%s}\0' \
    '{"interface":"wire","gateways":["192.0.2.1"],"validation":'"$reported}"; sleep 600; } |
    socat - UNIX-CONNECT:/run/pathmonitor/io.pathmonitor.PathMonitor >/dev/null 2>&1 & reporter=$!
within 20 state_is path-validated.target active
within 60 all_run || fail 'all that the package can start runs (not about the removal)' 'every unit' "$(ours)"
# Each unit file of the package is among them: a new one has to be enabled above.
running() { systemctl is-active --quiet "${1/@/@*}"; }
is 'no unit of the package is forgotten here' '' "$(for unit in $(dpkg -L pathmonitor | sed -n 's,.*/systemd/system/,,p'); do
    running "$unit" || echo "$unit"; done)"
dpkg -r pathmonitor >/run/job-apt.log 2>&1
removed=$?
kill $reporter 2>/dev/null
is 'it can be removed, without a word about mistakes' 0 "$removed$(grep -i syntax /run/job-apt.log)"
is 'no unit of it is left' '' "$(systemctl list-units --plain --no-legend --state=active,activating,deactivating,failed \
    'pathmonitor*' 'path-*' | cut -d' ' -f1 | paste -sd ' ')"
is 'no process of it is left' '' "$(ours)"
is 'the program of a hook that ignores SIGTERM is gone, too' '' "$(ps -o pid= -p "$(cat /run/job-hook)")"
is 'its sockets are gone' '' "$(ls /run/pathmonitor/* 2>/dev/null)"
is 'its programs are gone' '' "$(compgen -c pathctl; compgen -c pathmonitord)"
is 'its configuration is not' '[Monitor] Settle=300ms' "$(paste -sd ' ' $configuration)"
dpkg -P pathmonitor >/run/job-apt.log 2>&1
is 'it can be purged' 0 $?
is 'the files of the administrator are left' "/etc/pathmonitor/hooks.d/50-endless $configuration" \
    "$(find /etc/pathmonitor -type f | sort | paste -sd ' ')"
is 'the user and the group of the service are not' '' "$(getent passwd pathmonitord pathmonitor-connections; getent group pathmonitord pathmonitor-connections)"
rm -r /etc/pathmonitor
files | sort >/run/job-after
# The groups stay, as their numbers must not be given to others; the files of adduser and systemd-sysusers list them.
copies='^/etc/g?shadow-?$|^/etc/(passwd|group|subuid|subgid)-$|^/etc/\.pwd\.lock$'
is 'then nothing is left of it' '' "$(comm -13 /run/job-before /run/job-after | grep -vE "$copies")"
is 'and nothing else is gone' '' "$(comm -23 /run/job-before /run/job-after)"

# MARK: Once more
dpkg -i $package/second.deb >/run/job-apt.log 2>&1 </dev/null
is 'it can be installed again' '0 satisfied wiredEthernet' "$? $(within 20 state_is pathmonitord.socket active; served_verdict)"
is 'with its own configuration' '' "$(dpkg --verify pathmonitor)"
dpkg -P pathmonitor >/run/job-apt.log 2>&1
is 'and be purged at once' '0' "$?$(systemctl list-units --plain --no-legend --state=active,activating,failed \
    'pathmonitor*' 'path-*' | cut -d' ' -f1)"
files | sort >/run/job-after
is 'which leaves nothing either' '' "$(comm -13 /run/job-before /run/job-after | grep -vE "$copies")"

# MARK: An upgrade from 0.1.0
# As that version was: the service is a dynamic user, and its configuration a conffile.
# /run has no room for a third package.
sed -i 's/^Version: .*/Version: 0.1.0-1/' $package/tree/DEBIAN/control
sed -i 's/^User=pathmonitord$/DynamicUser=yes\n&/' $package/tree/lib/systemd/system/pathmonitord.service
sed -i '/^u pathmonitord/d' $package/tree/usr/lib/sysusers.d/pathmonitor.conf
echo '# Only comments.' >$package/tree$configuration
echo $configuration >$package/tree/DEBIAN/conffiles
dpkg-deb -Znone -b $package/tree /var/tmp/former.deb >/dev/null
dpkg -i /var/tmp/former.deb >/run/job-apt.log 2>&1 </dev/null
within 20 state_is pathmonitord.socket active
is '0.1.0 runs as a dynamic user' 'satisfied wiredEthernet without an entry' \
    "$(served_verdict) $(grep -q ^pathmonitord: /etc/passwd && echo 'with an entry' || echo 'without an entry')"
pathctl watch --json >/run/job-watch 2>/run/job-watch-errors & watch=$!
within 20 test -s /run/job-watch
dpkg -i $package/second.deb >/run/job-apt.log 2>&1 </dev/null
is 'it can be upgraded, too' 0 "$?$(grep -E 'Job for|error' /run/job-apt.log)"
is 'the service runs as a user with an entry' "active $(id -u pathmonitord)" \
    "$(state pathmonitord.service) $(ps -o uid= -p "$(pid)" | tr -d ' ')"
is 'so do its socket and the targets' 'active active' "$(states pathmonitord.socket pathmonitor-targets.service)"
is 'the configuration that was not edited is gone' no "$([ -e $configuration ] && echo yes || echo no)"
unplug
within 30 eval 'tail -n 1 /run/job-watch | jq -e ".status == \"unsatisfied\" and .knowledge == \"known\"" >/dev/null'
is 'the watch from before goes on' 'unsatisfied known' \
    "$(tail -n 1 /run/job-watch | jq -r '"\(.status) \(.knowledge)"')"
plug
kill $watch; wait $watch

# MARK: A service that does not start
drop_in pathmonitord.service '[Service]' ExecStart= ExecStart=/usr/bin/false
dpkg -i $package/second.deb >/run/job-apt.log 2>&1 </dev/null
is 'an upgrade fails if the service does not come up, and says so' '1 1' \
    "$? $(grep -c 'pathmonitor: the service does not start' /run/job-apt.log)"
rm -r /etc/systemd/system/pathmonitord.service.d
systemctl daemon-reload
systemctl reset-failed pathmonitord.service pathmonitord.socket 2>/dev/null
dpkg --configure -a >/run/job-apt.log 2>&1 </dev/null
is 'and is completed when the cause is mended' '0 install ok installed' \
    "$? $(dpkg-query -W -f '${Status}' pathmonitor)"
dpkg -P pathmonitor >/run/job-apt.log 2>&1
is 'and purged' 0 $?
finish
