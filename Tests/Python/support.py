"""The stage of the tests: the release service, services that are none, and a limit for each test."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path

import pathmonitor

PROGRAMS = Path(os.environ["PROGRAMS"])
GATEWAY = "192.0.2.1"
PATH = {"status": "satisfied", "knowledge": "known", "interfaces": []}


def ip(words):
    subprocess.run(["ip", *words.split()], check=True)


def lose_route():
    ip("route del default")


def restore_route():
    ip(f"route replace default via {GATEWAY}")


def frame(path=None, continues=True, **members):
    """The reply with a path."""
    found = {"parameters": {"path": {**PATH, **(path or {})}}, **members}
    return json.dumps({**found, **({"continues": True} if continues else {})}).encode() + b"\0"


def descriptors():
    return len(os.listdir("/proc/self/fd"))


def resident_bytes():
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def children():
    """The processes that this one has started and that are still there."""
    found = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
    return [Path(f"/proc/{number}/stat").read_text().rpartition(")")[0] for number in found]


class Case(unittest.TestCase):
    """A test that fails when it hangs, and that leaves no descriptor, thread or child behind."""

    limit = 60

    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="pathmonitor-"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.socket = str(self.folder / "socket")

        def give_up(*_):
            raise AssertionError(f"the test takes more than {self.limit} s")

        signal.signal(signal.SIGALRM, give_up)
        signal.alarm(self.limit)
        self.addCleanup(signal.alarm, 0)
        before = descriptors()
        self.addCleanup(lambda: self.assertEqual((descriptors(), threading.active_count(), children()), (before, 1, [])))

    def within(self, least, most, body):
        """Runs the body, whose time in seconds must be in a range; returns its result."""
        began = time.monotonic()
        result = body()
        self.assertTrue(least <= time.monotonic() - began <= most, f"{time.monotonic() - began} s")
        return result

    def run_program(self, text, **options):
        """A Python program with the package, which finds the socket in its environment."""
        environment = {**os.environ, "PATHMONITOR_SOCKET": self.socket}
        program = subprocess.Popen(
            [sys.executable, "-c", text], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options
        )

        def end():
            program.kill()
            program.communicate()

        self.addCleanup(end)
        return program


class Service:
    """The release service."""

    def __init__(self, path):
        self.path, self.process = path, None
        self.start()

    def start(self):
        self.process = subprocess.Popen([PROGRAMS / "pathmonitord", "--socket", self.path], stderr=subprocess.DEVNULL)
        while True:
            try:
                return pathmonitor.current(source="service", socket=self.path)
            except pathmonitor.SourceUnavailable:
                if self.process.poll() is not None:
                    raise
                time.sleep(0.01)

    def signal(self, number):
        self.process.send_signal(number)

    def end(self):
        self.process.kill()
        self.process.wait()


class FalseService:
    """A program that listens at the socket, and answers each connection with a function."""

    def __init__(self, path, answer, backlog=64):
        self.connections, self._is_busy = 0, False
        self._answer, self._listener, self._ends = answer, socket.socket(socket.AF_UNIX), threading.Event()
        self._listener.bind(path)
        self._listener.listen(backlog)
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()

    def _serve(self):
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            self._is_busy = True
            with connection:
                if self._ends.is_set():
                    return
                self.connections += 1
                try:
                    call = b""
                    while not call.endswith(b"\0"):
                        call += connection.recv(4_096)
                    self._answer(connection, json.loads(call[:-1]))
                except OSError:
                    pass
            self._is_busy = False

    def descriptors(self):
        """The descriptors of this process once the service, which is a part of it, has closed its last connection."""
        while self._is_busy:
            time.sleep(0.001)
        return descriptors()

    def end(self):
        self._ends.set()
        self._listener.shutdown(socket.SHUT_RDWR)
        self._thread.join()
        self._listener.close()
