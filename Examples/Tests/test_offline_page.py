"""The example `offline-page`: what it speaks on the wire, and what Chromium makes of its page."""

import ctypes
import http.client
import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import time
import unittest

import chromium
import stage

PROGRAM = stage.PROGRAMS / "offline-page"
PORT = 8080
ADDRESS = f"http://localhost:{PORT}/"
# What the library says where PATHMONITOR_SIMULATE is set.
SIMULATED = "pathmonitor: the network path is simulated, as PATHMONITOR_SIMULATE says 'unknown'\n"
# Where to put pictures of the page in each of its states, for people to look at.
PICTURES = os.environ.get("PICTURES")


class ServerTestCase(stage.StageTestCase):
    def setUp(self):
        super().setUp()
        # The test is a client of the server, from a thread of its own namespace.
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


class Events:
    """A reader of /events on a socket of its own."""

    def __init__(self, test, host="127.0.0.1"):
        self.socket = socket.create_connection((host, PORT), timeout=stage.PATIENCE)
        test.addCleanup(self.socket.close)
        self.socket.sendall(b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        self.response = http.client.HTTPResponse(self.socket)
        self.response.begin()

    def next(self):
        """The name and the data of the next event."""
        name, data = self.response.readline(), self.response.readline()
        assert self.response.readline() in (b"\n", b""), "an event ends with an empty line"
        return name.decode().strip().removeprefix("event: "), data.decode().strip().removeprefix("data:").strip()

    def next_report(self):
        while True:
            name, data = self.next()
            if name == "report":
                return json.loads(data)
            if not name:
                raise EOFError("the stream has ended")

    def wait_for_change(self, before, after):
        """The report of the next phase, which comes after the one that is, without others between them."""
        while (report := self.next_report())["phase"] == before:
            pass
        assert report["phase"] == after, f"{report['phase']} came after {before}, and not {after}"
        return report


class ProtocolTests(ServerTestCase):
    def request(self, method="GET", target="/", host="localhost", **headers):
        connection = http.client.HTTPConnection("127.0.0.1", PORT, timeout=stage.PATIENCE)
        connection.request(method, target, headers={"Host": host, **headers})
        response = connection.getresponse()
        response.text = response.read().decode()
        connection.close()
        return response

    def raw(self, text):
        """The whole answer to bytes on a connection."""
        with socket.create_connection(("127.0.0.1", PORT), timeout=stage.PATIENCE) as connection:
            connection.sendall(text)
            answer = b""
            while data := connection.recv(65536):
                answer += data
        return answer

    def test_only_loopback_is_listened_on(self):
        self.start()
        listening = subprocess.run(["ss", "-Hltn"], capture_output=True, text=True, check=True).stdout
        addresses = sorted(line.split()[3] for line in listening.splitlines())
        self.assertEqual(addresses, [f"127.0.0.1:{PORT}", f"[::1]:{PORT}"])
        with self.assertRaises(ConnectionRefusedError):
            socket.create_connection((stage.namespaces.NEAR_ADDRESS, PORT), timeout=5)
        Events(self, "::1").next()

    def test_without_ipv6_it_serves_ipv4(self):
        self.stage.pair.run("sysctl", "-q", "-w", "net.ipv6.conf.all.disable_ipv6=1")
        self.start()
        self.assertEqual(self.request().status, 200)

    def test_the_headers_protect_the_page(self):
        self.start()
        for target, kind in [
            ("/", "text/html"), ("/page.css", "text/css"), ("/page.js", "text/javascript"),
            ("/path", "application/json"), ("/nothing", "text/plain"),
        ]:
            answer = self.request(target=target)
            self.assertTrue(answer.getheader("Content-Type").startswith(kind), target)
            self.assertIn("default-src 'none'", answer.getheader("Content-Security-Policy"))
            self.assertEqual(answer.getheader("X-Content-Type-Options"), "nosniff")
            self.assertIsNone(answer.getheader("Access-Control-Allow-Origin"))

    def test_other_hosts_and_methods_are_refused(self):
        self.start()
        self.assertEqual(self.request(host="evil.example").status, 421)
        self.assertEqual(self.request(target="/events", host=f"evil.example:{PORT}").status, 421)
        self.assertRegex(self.raw(b"GET / HTTP/1.0\r\n\r\n"), rb"\AHTTP/1\.[01] 421 ")
        answer = self.request("POST", "/path")
        self.assertEqual((answer.status, answer.getheader("Allow")), (405, "GET, HEAD"))
        self.assertEqual(self.request(target="/nothing").status, 404)
        head = self.request("HEAD", "/path")
        self.assertEqual((head.status, head.text), (200, ""))
        head = self.request("HEAD", "/events")
        self.assertTrue(head.getheader("Content-Type").startswith("text/event-stream"))

    def test_garbage_does_no_harm(self):
        self.start()
        endless = b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"y" * 100_000
        for garbage in (b"\0\0\0\0\r\n\r\n", b"GET\r\n\r\n", endless):
            try:
                self.raw(garbage + b"\r\n\r\n")
            except ConnectionResetError:
                pass
        self.assertEqual(self.request().status, 200)

    def test_the_first_event_is_the_truth_and_each_change_follows(self):
        self.start()
        events = Events(self)
        # Where the path is known before the first stream begins, "checking" is past.
        report = events.next_report()
        if report["phase"] == "checking":
            report = events.wait_for_change("checking", "online")
        self.assertEqual(report["path"]["interfaces"][0]["name"], "v0")
        self.stage.pull_cable()
        report = events.wait_for_change("online", "offline")
        self.assertEqual(report["reason"], "No cable is plugged in, and no Wi-Fi is in reach.")
        self.assertEqual(report["path"]["status"], "unsatisfied")
        self.assertEqual(Events(self).next_report(), report)
        self.assertEqual(json.loads(self.request(target="/path").text), report)
        self.stage.plug_cable()
        report = events.wait_for_change("offline", "online")
        self.assertEqual((report["reason"], report["path"]["status"]), ("", "satisfied"))

    def test_a_path_that_cannot_be_told_is_not_offline(self):
        self.start(environment=["PATHMONITOR_SIMULATE=unknown"])
        report = Events(self).wait_for_change("checking", "degraded")
        self.assertEqual(report["heading"], "Perhaps online")

    def test_who_does_not_read_delays_nobody(self):
        self.start()
        events = Events(self)
        idle = [Events(self) for _ in range(10)]
        for _ in range(3):
            self.stage.pull_cable()
            while events.next_report()["phase"] != "offline":
                pass
            self.stage.plug_cable()
            events.wait_for_change("offline", "online")
        self.assertEqual(len(idle), 10)

    def test_signs_of_life_come(self):
        self.start()
        events = Events(self)
        while events.next()[0] != "alive":
            pass

    def test_too_many_readers_are_refused_until_some_have_gone(self):
        self.start()
        readers = [Events(self) for _ in range(32)]
        refused = self.request(target="/events")
        self.assertEqual((refused.status, refused.getheader("Retry-After")), (503, "5"))
        # Reading the page is still possible.
        self.assertEqual(self.request().status, 200)
        for reader in readers:
            reader.response.close()
            reader.socket.close()

        def is_accepted():
            time.sleep(0.1)
            return Events(self).response.status == 200

        stage.wait_until(is_accepted, lambda: "those who have gone are still counted")

    def test_a_signal_ends_it_cleanly_with_its_streams(self):
        for number in (signal.SIGTERM, signal.SIGINT):
            with self.subTest(number):
                self.start()
                readers = [Events(self) for _ in range(5)]
                for reader in readers:
                    reader.next()
                self.assertEqual(self.stop(number), 0)
                for reader in readers:
                    while reader.next()[0]:
                        pass

    def run_to_its_end(self, *arguments):
        return subprocess.run(
            self.stage.inside(PROGRAM, *arguments), capture_output=True, text=True, timeout=stage.PATIENCE
        )

    def test_a_port_that_is_taken_is_named(self):
        for family, host, shown in ((socket.AF_INET, "127.0.0.1", "127.0.0.1"), (socket.AF_INET6, "::1", "[::1]")):
            with self.subTest(host), socket.socket(family) as taken:
                taken.bind((host, PORT))
                taken.listen()
                ended = self.run_to_its_end()
                self.assertEqual(ended.returncode, 1)
                complaint = f"offline-page: cannot listen on {shown}:{PORT}: Address already in use\n"
                self.assertEqual(ended.stderr, complaint)

    def test_a_wrong_command_line_ends_with_64(self):
        ended = self.run_to_its_end("--content", "ftp://example.org/")
        self.assertEqual(ended.returncode, 64)
        complaint = r"\Aoffline-page: 'ftp://example.org/' is not an address of http or https; .*\n\Z"
        self.assertRegex(ended.stderr, complaint)


class BrowserTests(ServerTestCase):
    def browse(self, *arguments):
        self.start(*arguments)
        self.browser = chromium.Browser(self.stage)
        self.addCleanup(self.browser.close)
        self.browser.look("light")
        self.browser.open(ADDRESS)

    def wait_for(self, *patterns):
        """Waits until the page has all of the texts; its text."""
        stage.wait_until(
            lambda: all(re.search(pattern, self.browser.text()) for pattern in patterns),
            lambda: f"{patterns} did not come; the page:\n{self.browser.text()}",
        )
        return self.browser.text()

    def check_look(self, state):
        """Whether texts stand out enough in light and dark (WCAG AA), and nothing needs scrolling sideways."""
        for scheme in ("light", "dark"):
            for width, height in ((1024, 640), (320, 568)):
                self.browser.look(scheme, width, height)
                self.assertLessEqual(self.browser.evaluate("document.documentElement.scrollWidth"), width, state)
                if PICTURES:
                    self.browser.screenshot(pathlib.Path(PICTURES) / f"{state}-{scheme}-{width}.png")
            for element, contrast in self.browser.evaluate(CONTRASTS):
                self.assertGreaterEqual(contrast, 4.5, f"{element} in {scheme}, {state}")
        self.browser.look("light")

    def test_the_page_follows_the_path_and_then_its_server(self):
        self.browse()
        text = self.wait_for("Online", r"v0 \(wired Ethernet\)", "10.200.0.1/24", "10.200.0.2")
        self.assertNotIn("Offline", text)
        self.check_look("online")

        self.stage.pull_cable()
        text = self.wait_for("^Offline", r"No cable is plugged in, and no Wi-Fi is in reach\.", r"Since \d+:\d\d")
        self.assertNotIn("v0", text)
        self.assertEqual(self.browser.evaluate("document.title"), "Offline")
        said = self.browser.evaluate("document.querySelector('[aria-live]').textContent")
        self.assertEqual(said, "Offline. No cable is plugged in, and no Wi-Fi is in reach.")
        self.check_look("offline")

        # Our own failure is not the network's: what was true then is not said any more.
        self.assertEqual(self.stop(signal.SIGKILL), -signal.SIGKILL)
        self.assertNotIn("Offline", self.wait_for("This page has lost its server"))
        self.check_look("lost")

        self.stage.plug_cable()
        self.start()
        self.assertNotIn("lost", self.wait_for("Online", "v0"))
        # Nor is it said that the network is there when nobody knows.
        self.stop()
        self.assertNotIn("Online", self.wait_for("This page has lost its server"))

    def test_a_server_that_hangs_is_lost(self):
        self.browse()
        self.wait_for("Online")
        os.kill(self.server.pid, signal.SIGSTOP)
        self.wait_for("This page has lost its server")
        os.kill(self.server.pid, signal.SIGCONT)
        stage.wait_until(lambda: "lost" not in self.browser.text(), self.browser.text)

    def test_nothing_flickers(self):
        self.browse()
        self.wait_for("Online")
        self.browser.evaluate(
            "titles = []; new MutationObserver(() => titles.push(document.title))"
            ".observe(document.querySelector('title'), { childList: true }); 0"
        )
        for _ in range(5):
            self.stage.pair.configure(f"route del default\nroute add default via {stage.namespaces.GATEWAY}")
        # A restart of the server is nobody's business either.
        self.stop()
        self.start()
        self.stage.pull_cable()
        self.wait_for("Offline", "No cable")
        self.stage.plug_cable()
        self.wait_for("Online")
        titles = self.browser.evaluate("titles")
        self.assertEqual(titles, ["Offline", "Online"])

    def test_content_is_shown_while_online_and_loaded_anew_on_return(self):
        (self.stage.website / "board.html").write_text("<!doctype html><title>Board</title><h1>Departures</h1>")
        self.browse("--content", f"{stage.SERVER}/board.html")
        stage.wait_until(lambda: self.stage.requests() == 1, lambda: "the content is not asked for")
        visible = "getComputedStyle(document.getElementById('site')).display !== 'none'"
        self.assertTrue(self.browser.evaluate(visible))
        frame = self.browser.evaluate("(({ offsetWidth, offsetHeight }) => [offsetWidth, offsetHeight])(frame)")
        self.assertEqual(frame, [1024, 640])
        self.check_look("content")
        self.stage.pull_cable()
        self.wait_for("Offline")
        self.assertFalse(self.browser.evaluate(visible))
        self.stage.plug_cable()
        stage.wait_until(lambda: self.stage.requests() == 2, lambda: "the content is not loaded anew")
        stage.wait_until(lambda: self.browser.evaluate(visible), lambda: "the content is not shown")
        # A site that is there stays, with a notice, when our server is gone.
        self.stop()
        self.wait_for("^This page has lost its server: whether the network is still there is not known")
        self.assertTrue(self.browser.evaluate(visible))
        self.check_look("content-lost")
        self.start("--content", f"{stage.SERVER}/board.html")
        stage.wait_until(lambda: "lost" not in self.browser.text(), self.browser.text)
        self.assertEqual(self.stage.requests(), 2)

    def test_names_that_cannot_be_looked_up_are_a_notice(self):
        (self.stage.folder / "resolv.conf").write_text("")
        self.browse()
        self.wait_for(r"Names of servers cannot be looked up\.", "Partly online")
        self.check_look("degraded")


# Pairs of what is visible with a text of its own, and the contrast of that to what is behind it.
CONTRASTS = """
(() => {
  const parse = (color) => color.match(/[\\d.]+/g).map(Number);
  const luminance = ([r, g, b]) => [r, g, b].map((value) => value / 255)
    .map((value) => value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)
    .reduce((sum, value, index) => sum + value * [0.2126, 0.7152, 0.0722][index], 0);
  const behind = (element) => {
    for (let one = element; one; one = one.parentElement) {
      const color = parse(getComputedStyle(one).backgroundColor);
      if (color.length === 3 || color[3] > 0) return color;
    }
    return [255, 255, 255];
  };
  return [...document.body.querySelectorAll("h1, p, dt, dd, time")]
    .filter((element) => element.checkVisibility() && element.textContent.trim() && !element.matches(".unseen"))
    .map((element) => {
      const [a, b] = [parse(getComputedStyle(element).color), behind(element)].map(luminance);
      return [element.id || element.tagName, (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)];
    });
})()
"""


if __name__ == "__main__":
    unittest.main()
