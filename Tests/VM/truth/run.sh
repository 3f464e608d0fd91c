#!/bin/bash
# The test of the ways of tunnels, on a kernel that makes a VRF and a tunnel of a kind that no table lists. Random
# changes are made to a network, and each answer is compared with the cable by which a packet leaves.
set -u
. "$(dirname "$0")/helpers.sh"
needs 'test product with TunnelTruthTests: swift build --build-tests' test -e "$job/tests"
bursts=1000 seed=2026

modprobe -a vrf vxlan udp_tunnel ip6_udp_tunnel veth bridge ifb
is 'the kernel makes a VRF (not about the program)' 0 "$(ip link add red type vrf table 100; echo $?)"
ip link delete red
# The driver that Linux does not have is Geneve under another name. Its signature no longer fits.
sed -e 's/geneve/vendor/g' -e 's/~Module signature appended~//' "$(modinfo -n geneve)" >/run/vendor.ko
is 'the kernel loads the driver of an unlisted kind (not about the program)' 0 "$(insmod /run/vendor.ko; echo $?)"

# The job's folder is slow to page in.
cp -r "$job/tests" /var/tmp/tests
cd /var/tmp/tests || exit 1
log=${OUT:-/run}/truth.log
started=$SECONDS
LD_LIBRARY_PATH=$PWD PATHMONITOR_BURSTS=$bursts PATHMONITOR_SEED=$seed PATHMONITOR_MINUTES=25 \
    ./PathMonitorPackageTests.xctest --testing-library swift-testing --filter TunnelTruthTests >"$log" 2>&1
status=$?
ways=$(sed -n "s/^$bursts bursts of seed $seed agree\. .*: //p" "$log")
echo "# $bursts bursts took $((SECONDS - started)) s; ways: $ways"
is 'all answers agree with the packets' 0 $status
((status)) && sed 's/^/# /' "$log"
missing=
for way in VRF 'tunnel over VRF' 'unlisted tunnel over c0' 'unlisted tunnel over VRF'; do
    case ", $ways, " in *", $way, "*) ;; *) missing+="$way; " ;; esac
done
is 'packets have left by the VRF and the unlisted tunnel, and by each tunnel over the VRF' '' "$missing"
finish
