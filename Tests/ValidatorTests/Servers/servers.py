"""The servers of a small Internet: DNS, HTTP and HTTPS with certificates of an authority of their own.

servers.py DIRECTORY [FILE]. Without FILE, keys and certificates are made in DIRECTORY. FILE has a JSON object:
  interface  the one whose packets are counted
  tunnel     an address; UDP packets to its port 9 are counted, and go nowhere
  line       packets from the interface come later by the milliseconds of "delay", and each "lost"-th never; 0 for none
  dns        addresses, and for each name the answers by type, or its "code"; "every": only each so many-th query is
             answered, after the milliseconds of "delay"
  servers    address, port, certificate (null for HTTP), and the answer: status, headers, body, or a "fault"
All but addresses, ports and the interface is read again for each packet, query and request; with SIGHUP also servers
that were not there before. Prints "ready" when all serve, then a line for each query and request, "sent" with the bytes
of an endless body that somebody took, "tunnelled" for each packet of the tunnel, "packet" for the first one of each
flow, and "bytes" for each one. Requests and bytes have their time, in microseconds since boot.
"""

import collections
import fcntl
import gzip
import json
import os
import select
import signal
import socket
import ssl
import struct
import subprocess
import sys
import threading
import time

DIRECTORY = sys.argv[1]
PRINTING = threading.Lock()
LISTENING = set()
REDIRECT = b"HTTP/1.1 302 Found\r\nLocation: http://portal.example/sign-in\r\n"


def note(*words):
    with PRINTING:
        print(*words, flush=True)


def specification():
    with open(sys.argv[2]) as file:
        return json.load(file)


def now():
    return time.clock_gettime_ns(time.CLOCK_BOOTTIME) // 1000


def place_of(server):
    return server["address"], server["port"]


def query_name(query):
    labels, place = [], 12
    while query[place]:
        labels.append(query[place + 1 : place + 1 + query[place]].decode())
        place += 1 + query[place]
    return ".".join(labels), struct.unpack(">H", query[place + 1 : place + 3])[0], place + 5


def dns_reply(query, names):
    name, kind, end = query_name(query)
    family, record = {1: (socket.AF_INET, "A"), 28: (socket.AF_INET6, "AAAA")}.get(kind, (None, None))
    addresses = names.get(name, {}).get(record, [])
    code = names.get(name, {}).get("code", 0) if name in names else 3
    header = query[:2] + struct.pack(">HHHHH", 0x8180 | code, 1, len(addresses), 0, 0)
    answers = b""
    for address in addresses:
        data = socket.inet_pton(family, address)
        answers += b"\xc0\x0c" + struct.pack(">HHIH", kind, 1, 0, len(data)) + data
    return header + query[12:end] + answers


def serve_dns(address):
    bound = socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET, socket.SOCK_DGRAM)
    bound.bind((address, 53))
    yield
    count = 0
    while True:
        query, client = bound.recvfrom(4096)
        count += 1
        note("dns", query_name(query)[0])
        dns = specification()["dns"]
        if count % dns["every"] == 0:
            reply = dns_reply(query, dns["names"])
            threading.Timer(dns["delay"] / 1000, bound.sendto, (reply, client)).start()


def send_endlessly(stream, part):
    sent = 0
    try:
        while True:
            sent += stream.send(part)
    finally:
        note("sent", sent)


def send_slowly(stream, parts):
    for part in parts:
        stream.sendall(part)
        time.sleep(1)


def answer_request(stream, server):
    request = b""
    while b"\r\n\r\n" not in request:
        data = stream.recv(4096)
        if not data:
            return
        request += data
    note("request", server["address"], server["port"], now(), request.split(b"\r\n")[0].decode())
    fault = server["answer"].get("fault")
    if fault == "silence":
        time.sleep(60)
    elif fault == "reset":
        stream.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    elif fault == "slow headers":
        send_slowly(stream, [b"HTTP/1.1 200 OK\r\n"] + [b"X: y\r\n"] * 60)
    elif fault == "endless headers":
        stream.sendall(b"HTTP/1.1 200 OK\r\n")
        send_endlessly(stream, b"X: " + b"y" * 1000 + b"\r\n")
    elif fault == "endless interim answers":
        send_endlessly(stream, b"HTTP/1.1 102 Processing\r\n\r\n")
    elif fault == "endless body":
        stream.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 10000000000\r\n\r\n")
        send_endlessly(stream, b"y" * 65536)
    elif fault == "endless chunks":
        stream.sendall(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
        send_endlessly(stream, b"1\r\ny\r\n")
    elif fault == "bomb":
        stream.sendall(b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n" + gzip.compress(bytes(10_000_000), 1))
    elif fault == "late redirect":
        time.sleep(1)
        stream.sendall(REDIRECT + b"\r\n")
    elif fault == "open redirect":
        stream.sendall(REDIRECT + b"\r\n")
        time.sleep(60)
    elif fault == "reset redirect":
        stream.sendall(REDIRECT + b"\r\n")
        stream.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    elif fault == "short redirect":
        stream.sendall(REDIRECT + b"Content-Length: 1000\r\n\r\n<html>")
    elif fault == "slow page":
        send_slowly(stream, [b"HTTP/1.1 200 OK\r\n\r\n<"] + [b"<"] * 60)
    elif fault == "unframed page":
        stream.sendall(b"HTTP/1.1 200 OK\r\n\r\n<script>location='/'</script>")
    elif fault == "bare page":
        stream.sendall(b"\r\n<html>Welcome</html>")
    elif fault in ("200 or browser", "403 or browser"):
        # Only browsers are led to the page.
        other = b"HTTP/1.1 %s X\r\n" % fault[:3].encode()
        stream.sendall((REDIRECT if b"User-Agent: Mozilla" in request else other) + b"Content-Length: 0\r\n\r\n")
    elif fault == "garbage":
        stream.sendall(b"\x00\xff\x1b[2J not HTTP\r\n\r\n")
    else:
        needed = server["answer"].get("accept", "").encode()
        if needed not in request:
            note("refused", "a request without", needed)
            return
        body = server["answer"].get("body", "").encode("latin-1")
        head = ["HTTP/1.1 %d X" % server["answer"]["status"]] + server["answer"].get("headers", [])
        head += ["Content-Length: %d" % len(body), "Connection: close"]
        stream.sendall("\r\n".join(head + ["", ""]).encode("latin-1") + body)


def serve_connection(stream, place):
    try:
        server = next(one for one in specification()["servers"] if place_of(one) == place_of(place))
        fault = server["answer"].get("fault", "")
        if fault == "TLS silence":
            time.sleep(60)
        elif fault.endswith("for TLS"):
            stream.recv(4096)
            stream.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n" if "HTTP" in fault else b"\x00\xff\x1b[2J neither\r\n")
            return
        if server.get("certificate"):
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            path = DIRECTORY + "/" + server["certificate"]
            context.load_cert_chain(path + ".pem", path + ".key")
            stream = context.wrap_socket(stream, server_side=True)
        answer_request(stream, server)
    except OSError:
        pass
    finally:
        stream.close()


def serve_web(server):
    family = socket.AF_INET6 if ":" in server["address"] else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind((server["address"], server["port"]))
    listener.listen(64)
    yield
    while True:
        stream, _ = listener.accept()
        threading.Thread(target=serve_connection, args=(stream, server), daemon=True).start()


def listen():
    """Serves the servers that have not been there before, and says that it does."""
    for server in specification()["servers"]:
        if place_of(server) not in LISTENING:
            LISTENING.add(place_of(server))
            run(serve_web(server))
    note("ready")


def count_packets(interface):
    """Notes the first packet of each flow. Neighbour discovery and such are the kernel's own."""
    packets = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(0x0003))
    packets.bind((interface, 0))
    yield
    flows = set()
    while True:
        data, (_, protocol, kind, _, _) = packets.recvfrom(128)
        if kind == socket.PACKET_OUTGOING or protocol not in (0x0800, 0x86DD):
            continue
        start = (data[0] & 15) * 4 if protocol == 0x0800 else 40
        transport = data[9] if protocol == 0x0800 else data[6]
        if transport in (0, 2, 58):
            continue
        length = struct.unpack(">H", data[2:4])[0] if protocol == 0x0800 else struct.unpack(">H", data[4:6])[0] + 40
        note("bytes", now(), length)
        flow = (data[12:20] if protocol == 0x0800 else data[8:40], transport, data[start : start + 4])
        if flow not in flows:
            flows.add(flow)
            note("packet", transport)


def delay_packets(interface):
    """Sends what comes from the interface to 203.0.113.0/24 through a tunnel to this program, which lets it wait."""
    tun = os.open("/dev/net/tun", os.O_RDWR)
    # TUNSETIFF with IFF_TUN and IFF_NO_PI.
    fcntl.ioctl(tun, 0x400454CA, struct.pack("16sH", b"line0", 0x1001))
    for words in (
        "link set line0 up",
        "route add default dev line0 table 100",
        "rule add pref 6 iif %s to 203.0.113.0/24 lookup 100" % interface,
    ):
        subprocess.run(["ip"] + words.split(), check=True)
    # The kernel does not forward a packet for which it has found a socket of its own early.
    with open("/proc/sys/net/ipv4/ip_early_demux", "w") as file:
        file.write("0")
    yield
    waiting, count = collections.deque(), 0
    while True:
        if select.select([tun], [], [], max(0, waiting[0][0] - time.monotonic()) if waiting else None)[0]:
            packet = os.read(tun, 65536)
            line = specification()["line"]
            count += 1
            if packet[0] >> 4 == 4 and not (line["lost"] and count % line["lost"] == 0):
                waiting.append((time.monotonic() + line["delay"] / 1000, packet))
        while waiting and waiting[0][0] <= time.monotonic():
            os.write(tun, waiting.popleft()[1])


def count_tunnelled(address):
    bound = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    bound.bind((address, 9))
    yield
    while True:
        bound.recv(4096)
        note("tunnelled")


def make_certificates(directory):
    """An authority, and for each kind of certificate one that it has signed."""
    with open(directory + "/ca.cnf", "w") as file:
        file.write(
            "[ca]\ndefault_ca=d\n[d]\ndatabase=%s/index\nserial=%s/serial\nnew_certs_dir=%s\ndefault_md=sha256\n"
            "policy=p\ncopy_extensions=copy\nunique_subject=no\n[p]\ncommonName=supplied\n" % ((directory,) * 3)
        )
    open(directory + "/index", "w").close()
    with open(directory + "/serial", "w") as file:
        file.write("01\n")

    def openssl(*words):
        subprocess.run(["openssl", *words], cwd=directory, check=True, capture_output=True)

    key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
    openssl("req", "-x509", *key, "-keyout", "ca.key", "-out", "ca.pem", "-subj", "/CN=ca", "-days", "36500")
    rows = [
        ("good", "20200101000000Z", "20990101000000Z", "a.example,b.example"),
        ("portal", "20200101000000Z", "20990101000000Z", "portal.example"),
        ("expired", "20200101000000Z", "20210101000000Z", "a.example,b.example"),
        ("future", "20980101000000Z", "20990101000000Z", "a.example,b.example"),
        ("other", "20200101000000Z", "20990101000000Z", "c.example"),
    ]
    for name, start, end, hosts in rows:
        names = ",".join("DNS:" + host for host in hosts.split(","))
        request = ["-keyout", name + ".key", "-out", name + ".csr", "-subj", "/CN=" + name]
        openssl("req", *key, *request, "-addext", "subjectAltName=" + names)
        signing = ["-batch", "-notext", "-config", "ca.cnf", "-cert", "ca.pem", "-keyfile", "ca.key"]
        openssl("ca", *signing, "-startdate", start, "-enddate", end, "-in", name + ".csr", "-out", name + ".pem")


def run(generator):
    next(generator)
    threading.Thread(target=lambda: list(generator), daemon=True).start()


if len(sys.argv) == 2:
    make_certificates(DIRECTORY)
    sys.exit()
first = specification()
run(count_packets(first["interface"]))
for address in first["dns"]["addresses"]:
    run(serve_dns(address))
if first["line"] != {"delay": 0, "lost": 0}:
    run(delay_packets(first["interface"]))
if "tunnel" in first:
    run(count_tunnelled(first["tunnel"]))
listen()
signal.signal(signal.SIGHUP, lambda *_: listen())
while True:
    signal.pause()
