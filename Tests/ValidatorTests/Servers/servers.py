"""The servers of a small Internet: DNS, HTTP and HTTPS with certificates of an authority of their own.

servers.py DIRECTORY [FILE]. Without FILE, keys and certificates are made in DIRECTORY. FILE has a JSON object:
  interface  the one whose packets are counted
  tunnel     an address; UDP packets to its port 9 are counted, and go nowhere
  dns        address, and for each name the answers by type; "every": only each so many-th query is answered
  servers    address, port, certificate (null for HTTP), and the answer: status, headers, body, or a "fault"
The answers and certificates are read again for each request. Prints "ready", then a line for each query and request,
"sent" with the bytes of an endless body that somebody took, "tunnelled" for each packet of the tunnel, and "packet" for
the first one of each flow.
"""

import json
import socket
import ssl
import struct
import subprocess
import sys
import threading
import time

DIRECTORY = sys.argv[1]
PRINTING = threading.Lock()
REDIRECT = b"HTTP/1.1 302 Found\r\nLocation: http://portal.example/sign-in\r\n"


def note(*words):
    with PRINTING:
        print(*words, flush=True)


def specification():
    with open(sys.argv[2]) as file:
        return json.load(file)


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
    code = 0 if name in names else 3
    header = query[:2] + struct.pack(">HHHHH", 0x8180 | code, 1, len(addresses), 0, 0)
    answers = b""
    for address in addresses:
        data = socket.inet_pton(family, address)
        answers += b"\xc0\x0c" + struct.pack(">HHIH", kind, 1, 0, len(data)) + data
    return header + query[12:end] + answers


def serve_dns(dns):
    bound = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    bound.bind((dns["address"], 53))
    yield
    count = 0
    while True:
        query, client = bound.recvfrom(4096)
        count += 1
        note("dns", query_name(query)[0])
        if count % dns.get("every", 1) == 0:
            bound.sendto(dns_reply(query, specification()["dns"]["names"]), client)


def answer_request(stream, server):
    request = b""
    while b"\r\n\r\n" not in request:
        data = stream.recv(4096)
        if not data:
            return
        request += data
    note("request", server["address"], server["port"], request.split(b"\r\n")[0].decode())
    fault = server["answer"].get("fault")
    if fault == "silence":
        time.sleep(60)
    elif fault == "reset":
        stream.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    elif fault == "slow headers":
        for byte in b"HTTP/1.1 200 OK\r\nX: " + b"y" * 100:
            stream.sendall(bytes([byte]))
            time.sleep(1)
    elif fault == "endless headers":
        stream.sendall(b"HTTP/1.1 200 OK\r\n")
        while True:
            stream.sendall(b"X: " + b"y" * 1000 + b"\r\n")
    elif fault == "endless body":
        stream.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 1000000000\r\n\r\n")
        sent = 0
        try:
            while True:
                sent += stream.send(b"y" * 65536)
        finally:
            note("sent", sent)
    elif fault == "open redirect":
        stream.sendall(REDIRECT + b"\r\n")
        time.sleep(60)
    elif fault == "reset redirect":
        stream.sendall(REDIRECT + b"\r\n")
        stream.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    elif fault == "short redirect":
        stream.sendall(REDIRECT + b"Content-Length: 1000\r\n\r\n<html>")
    elif fault == "open page":
        stream.sendall(b"HTTP/1.1 200 OK\r\n\r\n<html>")
        time.sleep(60)
    elif fault == "bare page":
        stream.sendall(b"\r\n<html>Welcome</html>")
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
        server = next(
            one for one in specification()["servers"] if (one["address"], one["port"]) == (place["address"], place["port"])
        )
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
        flow = (data[12:20] if protocol == 0x0800 else data[8:40], transport, data[start : start + 4])
        if flow not in flows:
            flows.add(flow)
            note("packet", transport)


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
run(serve_dns(first["dns"]))
if "tunnel" in first:
    run(count_tunnelled(first["tunnel"]))
for web in first["servers"]:
    run(serve_web(web))
note("ready")
threading.Event().wait()
