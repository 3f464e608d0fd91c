#!/bin/bash
# Metrics for systemd's collectors: pathmonitor-report.socket answers root and each user whatever other users do.
set -u
job=$(cd "$(dirname "$0")" && pwd)
. "$job/service.sh"
serve_uplink
useradd polite
useradd rude
socket=/run/systemd/report/io.pathmonitor.PathMonitor
collect() { python3 "$job/collect.py" "$socket" "$@" 2>&1; }

systemctl enable --quiet --now pathmonitor-report.socket
is 'the socket is there, and nobody has been started' 'active inactive' \
    "$(states pathmonitor-report.socket pathmonitor-report.service)"
is 'root collects the metrics' 1 "$(collect ask)"
is 'and so does a user' 1 "$(as polite python3 "$job/collect.py" "$socket" ask 2>&1)"
is 'one process answers all' active "$(state pathmonitor-report.service)"
collector=$(pid pathmonitor-report.service)

# MARK: Connections that come and go
echo "# 2000 connections took $(as rude python3 "$job/collect.py" "$socket" storm 2000) tenths of a second"
is 'a storm of connections leaves the socket' active "$(state pathmonitor-report.socket)"
is 'and root is answered' 1 "$(collect ask)"
is 'by the same process' "$collector" "$(pid pathmonitor-report.service)"
systemctl stop pathmonitor-report.service
is 'the service was stopped and starts with the next collector' 'active 1' \
    "$(systemctl start pathmonitor-report.socket; state pathmonitor-report.socket) $(collect ask)"
for _ in 1 2 3 4; do as rude python3 "$job/collect.py" "$socket" storm 500 >/dev/null; done
is 'storms one after the other leave it, too' 'active 1' "$(state pathmonitor-report.socket) $(collect ask)"

# MARK: Connections that stay
mkfifo /run/job-stay /run/job-held
as rude python3 "$job/collect.py" "$socket" hold 400 </run/job-stay >/run/job-held 2>&1 &
holder=$!
exec 8>/run/job-stay 9</run/job-held
read -r -t 60 -u 9 word
is 'a user holds all connections there are' held "${word:-nothing}"
is 'root is answered nevertheless' 1 "$(collect ask)"
is 'and so is another user' 1 "$(as polite python3 "$job/collect.py" "$socket" ask 2>&1)"
is 'the user who holds them is refused by a share' 'has ended' \
    "$(as rude python3 "$job/collect.py" "$socket" ask 2>&1 | grep -oE 'has ended|LimitReached' | sed 's/LimitReached/has ended/')"
exec 8>&-
wait $holder
is 'nothing was given up' '' "$(start_limits)"

# MARK: The end
systemctl disable --quiet --now pathmonitor-report.socket
is 'the service goes with its socket' 'inactive inactive' \
    "$(states pathmonitor-report.socket pathmonitor-report.service)"
finish
