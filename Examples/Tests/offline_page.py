"""The example `offline-page`, run for a test that is in its namespace."""

import ctypes
import os
import signal
import subprocess

import stage

PROGRAM = stage.PROGRAMS / "offline-page"
PORT = 8080
ADDRESS = f"http://localhost:{PORT}/"
# What the library says where PATHMONITOR_SIMULATE is set.
SIMULATED = "pathmonitor: the network path is simulated, as PATHMONITOR_SIMULATE says 'unknown'\n"


class ServerTestCase(stage.StageTestCase):
    def setUp(self):
        super().setUp()
        # The test asks the server itself, over the loopback of the namespace.
        self.enter_namespace()
        self.server = None

    def enter_namespace(self):
        """Sockets of the test are made in the program's namespace from here on."""
        home = os.open("/proc/thread-self/ns/net", os.O_RDONLY)
        self.addCleanup(os.close, home)
        near = os.open(f"/run/netns/{self.stage.pair.near}", os.O_RDONLY)
        set_namespace(near)
        self.addCleanup(set_namespace, home)
        os.close(near)

    def start(self, *arguments, environment=()):
        self.server = self.stage.laboratory.spawn(
            self.stage.inside("env", *environment, PROGRAM, *arguments), stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True,
        )
        self.addCleanup(self.check_end, self.server)
        self.assertEqual(self.server.stdout.readline(), ADDRESS + "\n")

    def check_end(self, server):
        """However the test went on: a server ends when it is told to, and has nothing to complain of."""
        if server.poll() is None:
            server.terminate()
        with server.stdout, server.stderr:
            self.assertIn(server.wait(stage.PATIENCE), (0, -signal.SIGKILL))
            self.assertIn(server.stderr.read(), ("", SIMULATED))

    def stop(self, number=signal.SIGTERM):
        """Ends the server; its exit status."""
        os.kill(self.server.pid, number)
        return self.server.wait(stage.PATIENCE)


def set_namespace(descriptor):
    library = ctypes.CDLL(None, use_errno=True)
    if library.setns(descriptor, 0) != 0:
        raise OSError(ctypes.get_errno(), "setns")
