"""Where the examples are tried out: a namespace with a cable to another one, in which a web server runs.

The cable and the namespaces are those of the benchmark. Needs root.
"""

import os
import sys
import time
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = ROOT / ".build/examples/debug"
sys.path.insert(0, str(ROOT / "Benchmarks"))

import namespaces  # noqa: E402

SERVER = f"http://{namespaces.GATEWAY}:8000"
# How long anything may take to show. It is not how long it takes: whoever waits looks again every few milliseconds.
PATIENCE = 20


def wait_until(holds, failure):
    """Waits until `holds()` is true; its value. `failure` is called for the message when it does not come true."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        value = holds()
        if value:
            return value
        time.sleep(0.02)
    raise AssertionError(failure())


class Stage:
    """A namespace of the program under test (`near`), and one of the rest of the world (`far`)."""

    def __init__(self):
        self.laboratory = namespaces.Laboratory({})

    def __enter__(self):
        self.laboratory.__enter__()
        try:
            self.folder = self.laboratory.folder
            self.website = self.folder / "website"
            self.website.mkdir()
            # A name server is configured, whatever the machine has: without one the path is not quite right.
            (self.folder / "resolv.conf").write_text(f"nameserver {namespaces.GATEWAY}\n")
            self.pair = self.laboratory.pair(prompt=True)
            self.pair.__enter__()
            self._serve()
        except BaseException:
            self.laboratory.__exit__()
            raise
        return self

    def __exit__(self, *_):
        self.laboratory.__exit__()

    def _serve(self):
        command = ["-m", "http.server", "--bind", namespaces.GATEWAY, "--directory", str(self.website), "8000"]
        with open(self.folder / "requests", "wb") as log:
            self._serve_on(8000, command, log)

    def serve_without_end(self, port):
        """A web server whose answer trickles, so that it never pauses for long and never ends."""
        script = f"""
import socket, time
connection, _ = socket.create_server(("{namespaces.GATEWAY}", {port})).accept()
connection.sendall(b"HTTP/1.1 200 OK\\r\\n\\r\\n[")
while True:
    time.sleep(0.2)
    connection.sendall(b" ")
"""
        self._serve_on(port, ["-c", script], None)

    def _serve_on(self, port, python, log):
        far = ["ip", "netns", "exec", self.pair.far]
        self.laboratory.spawn([*far, "/usr/bin/python3", *python], stdout=log, stderr=log)
        wait_until(
            lambda: f":{port} " in namespaces.run([*far, "ss", "-Hltn"]), lambda: f"nobody listens on port {port}"
        )

    def requests(self):
        """How many requests the web server has had."""
        return (self.folder / "requests").read_text().count('"GET ')

    def pull_cable(self):
        self._far_link("down")

    def plug_cable(self):
        self._far_link("up")

    def _far_link(self, state):
        namespaces.run(["ip", "-n", self.pair.far, "link", "set", "v1", state])

    def inside(self, *arguments):
        """The command line that runs a program in the namespace, with the stage's name server and without a service."""
        bind = f'mount --bind {self.folder}/resolv.conf /etc/resolv.conf && exec "$@"'
        environment = [f"PATHMONITOR_SOCKET={self.folder}/no-service"]
        command = ["ip", "netns", "exec", self.pair.near, "env", *environment, "sh", "-c", bind, "sh"]
        return [*command, *map(str, arguments)]


class StageTestCase(unittest.TestCase):
    """A test with a stage of its own."""

    def setUp(self):
        if os.getuid() != 0:
            self.fail("the tests of the examples make network namespaces, for which they need root")
        self.stage = Stage()
        self.stage.__enter__()
        self.addCleanup(self.stage.__exit__)
