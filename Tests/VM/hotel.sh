# Sourced by the jobs about sign-in pages, in the VM, after service.sh: a hotel with simulated Wi-Fi, and its guest.
#
# In the namespace `access` are the access point with DHCP and DNS, the sign-in page, and the firewall that puts it in
# the place of all hosts until the guest has signed in. In the namespace `internet` are hosts with the right answers,
# by the names that the example of the configuration has, and the name server that knows them. An authority of the job
# signs all certificates in place of one that the machine trusts.
# shellcheck shell=bash
hotel=/run/hotel
hosts='connectivity-check.ubuntu.com,203.0.113.1 detectportal.firefox.com,203.0.113.2 network-test.debian.org,203.0.113.3'

# open_hotel: with a guest on this machine, a user with a manager of units. The access point is not yet open.
open_hotel() {
    # NetworkManager would hand the name servers to systemd-resolved, which is installed here and does not run.
    printf '%s\n' '[main]' rc-manager=file >/etc/NetworkManager/conf.d/hotel.conf
    needs 'simulated radios (mac80211_hwsim)' modprobe -n mac80211_hwsim
    needs 'packages dnsmasq, nftables, openssl and python' unpack_tools
    mkdir -p $hotel /etc/ssl/certs
    python3 "$job/hotel.py" certificates $hotel && cp $hotel/ca.pem /etc/ssl/certs/ca-certificates.crt || hotel_fails
    modprobe mac80211_hwsim radios=2; modprobe -q veth; udevadm settle
    ip netns add access && ip netns add internet
    ip -n access link set lo up; ip -n internet link set lo up
    ip link add uplink netns access type veth peer name eth0 netns internet
    ip -n access addr add 198.51.100.1/24 dev uplink; ip -n internet addr add 198.51.100.2/24 dev eth0
    ip -n access link set uplink up; ip -n internet link set eth0 up
    ip -n access route add default via 198.51.100.2; ip -n internet route add 192.0.2.0/24 via 198.51.100.1
    iw phy "phy$(iw dev wlan1 info | awk '$1 == "wiphy" { print $2 }')" set netns name access
    ip netns exec access sysctl -q net.ipv4.ip_forward=1
    ip netns exec access nft -f - <<'RULES' || hotel_fails
table inet hotel {
    set guests { type ipv4_addr; }
    counter connections { }
    counter lookups { }
    counter others { }
    chain count {
        type filter hook prerouting priority -150;
        iifname "wlan1" meta l4proto tcp ct state new counter name connections
        iifname "wlan1" udp dport 53 counter name lookups
        iifname "wlan1" meta l4proto udp udp dport != { 53, 67, 547 } counter name others
    }
    chain intercept {
        type nat hook prerouting priority -100;
        iifname "wlan1" ip saddr != @guests ip daddr != 192.0.2.1 tcp dport 80 redirect to :8080
    }
    chain forward {
        type filter hook forward priority 0;
        iifname "wlan1" ip saddr != @guests meta l4proto tcp reject with tcp reset
        iifname "wlan1" ip saddr != @guests drop
    }
}
RULES
    local host records=()
    for host in $hosts; do
        ip -n internet addr add "${host#*,}/32" dev lo
        records+=("--host-record=$host")
    done
    ip -n internet addr add 203.0.113.53/32 dev lo
    in_internet dnsmasq --keep-in-foreground --user=root --no-resolv --no-hosts --local=/com/ --local=/org/ \
        --pid-file= "${records[@]}"
    in_internet python3 -u "$job/hotel.py" internet $hotel
    in_access python3 -u "$job/hotel.py" access $hotel
    within 30 grep -qx ready $hotel/python3-internet && within 30 grep -qx ready $hotel/python3-access || hotel_fails
    useradd -m guest
    stand_in notify-send 'shift' "printf '%s\\n' \"\$(IFS=:; echo \"\$*\")\" >>/run/notifications"
    stand_in xdg-open 'echo "$(id -un) $*" >>/run/pages'
    : >/run/notifications; : >/run/pages; chmod 666 /run/notifications /run/pages
    loginctl enable-linger guest
    within 30 test -S "/run/user/$(id -u guest)/systemd/private" || hotel_fails
}
# unpack_tools: the packages of the job but ours, unknown to dpkg: apt would not install ours beside incomplete ones.
unpack_tools() {
    local package
    for package in "$job"/*.deb; do
        [[ $package = */pathmonitor_* ]] || dpkg-deb --fsys-tarfile "$package" | tar -xC / --keep-directory-symlink
    done
    ldconfig
    command -v dnsmasq nft openssl
}
hotel_fails() {
    fail 'there is a hotel (not about the program)' 'access point and Internet' "$(tail -n 3 $hotel/* /run/dpkg.log 2>&1)"
    finish
}
in_access() { ip netns exec access "$@" >"$hotel/$1-access" 2>&1 & echo $! >"$hotel/$1-access.pid"; }
in_internet() { ip netns exec internet "$@" >"$hotel/$1-internet" 2>&1 & }

# open_access NAME [OPTION...]: the access point with this name, and its DHCP and DNS server with these options.
open_access() {
    printf '%s\n' interface=wlan1 driver=nl80211 ssid="$1" hw_mode=g channel=1 >$hotel/hostapd.conf
    in_access hostapd $hotel/hostapd.conf
    within 30 grep -q AP-ENABLED $hotel/hostapd-access || hotel_fails
    ip -n access addr add 192.0.2.1/24 dev wlan1
    in_access dnsmasq --keep-in-foreground --user=root --no-resolv --no-hosts --pid-file= --log-queries --log-facility=- \
        --interface=wlan1 --bind-interfaces --server=203.0.113.53 --host-record=portal.hotel.example,192.0.2.1 \
        --dhcp-leasefile=$hotel/leases --dhcp-range=192.0.2.50,192.0.2.60,1h "${@:2}"
    within 30 grep -q 'started, version' $hotel/dnsmasq-access || hotel_fails
}
# close_access: the guest leaves. After the return a sign-in is wanted again.
close_access() {
    kill "$(<$hotel/hostapd-access.pid)" "$(<$hotel/dnsmasq-access.pid)"
    wait "$(<$hotel/hostapd-access.pid)" "$(<$hotel/dnsmasq-access.pid)"
    ip -n access addr flush dev wlan1
    ip netns exec access nft flush set inet hotel guests
}

# MARK: The hotel's view

counter() { ip netns exec access nft --json list counter inet hotel "$1" | jq '.nftables[] | .counter // empty | .packets'; }
# sent: the connections, queries for names, and other packets of UDP that have come from the guest, but for DHCP.
sent() { echo "$(counter connections) $(counter lookups) $(counter others)"; }
# requests [TEXT]: those with the text in their line that both servers have seen, in order.
requests() { sort -n $hotel/python3-access $hotel/python3-internet | grep -F -- "${1:-://}"; }
# asked_names: the names that were looked up, each once.
asked_names() { sed -nE 's/.* query\[[A-Z]+\] ([^ ]+) from .*/\1/p' $hotel/dnsmasq-access | sort -u | paste -sd ' '; }

# MARK: The guest

as_guest() {
    as guest env -C /home/guest HOME=/home/guest USER=guest XDG_RUNTIME_DIR="/run/user/$(id -u guest)" "$@"
}
# sign_in ADDRESS: as a browser does it.
sign_in() { as_guest SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt python3 "$job/hotel.py" sign-in "$1" 2>&1 | tail -n 1; }
notifications() { paste -sd ';' /run/notifications; }
notifications_are() { [ "$(notifications)" = "$1" ]; }
