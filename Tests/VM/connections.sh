# Sourced by the jobs about connections whose address is gone, in the VM, after service.sh.
# shellcheck shell=bash
ender=pathmonitor-connections.service

install_ender() { install -D -m755 "$job/pathmonitor-connections" /usr/libexec/pathmonitor/pathmonitor-connections; }

# serve NAMESPACE: a server at 203.0.113.1 that accepts connections and says nothing.
serve() {
    ip -n "$1" link set lo up
    ip -n "$1" addr add 203.0.113.1/32 dev lo
    ip netns exec "$1" python3 -c 'import socket
server, held = socket.create_server(("203.0.113.1", 7000)), []
while True: held.append(server.accept())' &
}

# waiting NAME: a program that waits for an answer; the error and the seconds that it has waited go to a file.
waiting() {
    python3 -c 'import errno, socket, sys, time
s = socket.create_connection(("203.0.113.1", 7000))
print("connected", flush=True)
start = time.monotonic()
try:
    s.recv(1)
except OSError as error:
    print(errno.errorcode[error.errno], round(time.monotonic() - start, 1), flush=True)' >"/run/$1.txt" &
    within 20 grep -q connected "/run/$1.txt" || fail 'a program is connected (not about the unit)' connected "$(cat "/run/$1.txt")"
}
