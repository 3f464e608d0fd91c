"""The web servers of a hotel and of the Internet behind it, and the browser of a guest.

hotel.py certificates DIRECTORY  makes an authority and the certificates of all servers
hotel.py access DIRECTORY        the sign-in page, in place of every host by HTTP, and its interface (RFC 8908)
hotel.py internet DIRECTORY      hosts with the right answers
hotel.py sign-in ADDRESS         opens a page as a browser does, follows it, and sends the form in it
The servers print a line for each request: the time since boot, the host, the method, the address.
"""

import http.server
import json
import re
import ssl
import subprocess
import sys
import threading
import time
import urllib.parse
import urllib.request

PORTAL = "portal.hotel.example"
PAGE = "https://%s/" % PORTAL
RIGHT = {
    "connectivity-check.ubuntu.com": (204, {}, ""),
    "detectportal.firefox.com": (200, {}, "success\n"),
    "network-test.debian.org": (200, {"X-NetworkManager-Status": "online"}, "NetworkManager is online\n"),
}
FORM = "<form method=post action=/sign-in><input name=room></form>"


def is_guest(address):
    """Whether the guest has signed in: the firewall knows."""
    words = ["nft", "get", "element", "inet", "hotel", "guests", "{ %s }" % address]
    return subprocess.run(words, capture_output=True).returncode == 0


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *words):
        pass

    def do_GET(self):
        self.receive()

    def do_POST(self):
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.receive()

    def receive(self):
        scheme = "https" if self.server.is_secure else "http"
        address = "%s://%s%s" % (scheme, self.headers.get("Host", ""), self.path)
        now = time.clock_gettime(time.CLOCK_BOOTTIME)
        # In one piece: the requests come in threads of their own.
        sys.stdout.write("%.2f %s %s\n" % (now, self.command, address))
        status, headers, body = self.server.answer(self)
        self.send_response(status)
        for name, value in {"Content-Length": len(body), "Connection": "close", **headers}.items():
            self.send_header(name, str(value))
        self.end_headers()
        self.wfile.write(body.encode())


def intercept(request):
    """The answer of the access point in the place of any host."""
    return 302, {"Location": PAGE}, ""


def access(request):
    """The answer of the hotel's own server."""
    guest = request.client_address[0]
    if request.path == "/api":
        answer = {"captive": not is_guest(guest), "user-portal-url": PAGE}
        if not answer["captive"]:
            answer["seconds-remaining"] = 86400
        return 200, {"Content-Type": "application/captive+json"}, json.dumps(answer)
    if request.command == "POST" and request.path == "/sign-in":
        subprocess.run(["nft", "add", "element", "inet", "hotel", "guests", "{ %s }" % guest], check=True)
        return 200, {"Content-Type": "text/html"}, "Welcome"
    return 200, {"Content-Type": "text/html"}, FORM


def internet(request):
    return RIGHT.get(request.headers.get("Host", ""), (404, {}, ""))


def serve(port, answer, certificate=None):
    server = http.server.ThreadingHTTPServer(("", port), Handler)
    server.answer, server.is_secure = answer, certificate is not None
    if certificate:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate + ".pem", certificate + ".key")
        # The handshake is that of the thread of the connection: no connection holds up another one.
        server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    threading.Thread(target=server.serve_forever, daemon=True).start()


def make_certificates(directory):
    with open(directory + "/openssl.cnf", "w") as file:
        file.write("[req]\ndistinguished_name=name\n[name]\n[authority]\nbasicConstraints=critical,CA:TRUE\n")
    key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-config", "openssl.cnf"]

    def openssl(*words):
        subprocess.run(["openssl", *words], cwd=directory, check=True, capture_output=True)

    authority = ["-keyout", "ca.key", "-out", "ca.pem", "-subj", "/CN=authority", "-extensions", "authority"]
    openssl("req", "-x509", *key, *authority)
    for name, hosts in ("access", [PORTAL]), ("internet", RIGHT):
        with open("%s/%s.ext" % (directory, name), "w") as file:
            file.write("subjectAltName=" + ",".join("DNS:" + host for host in hosts))
        openssl("req", *key, "-keyout", name + ".key", "-out", name + ".csr", "-subj", "/CN=" + name)
        signing = ["-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-extfile", name + ".ext"]
        openssl("x509", "-req", *signing, "-in", name + ".csr", "-out", name + ".pem")


def sign_in(address):
    with urllib.request.urlopen(address) as page:
        place, form = page.url, page.read().decode()
    action = re.search("action=([^> ]+)", form).group(1)
    with urllib.request.urlopen(urllib.parse.urljoin(place, action), b"room=12") as reply:
        print(reply.read().decode())


command, subject = sys.argv[1:]
if command == "certificates":
    make_certificates(subject)
elif command == "sign-in":
    sign_in(subject)
else:
    serve(443, access if command == "access" else internet, "%s/%s" % (subject, command))
    serve(*((8080, intercept) if command == "access" else (80, internet)))
    print("ready", flush=True)
    threading.Event().wait()
