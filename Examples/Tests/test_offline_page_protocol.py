"""What the example `offline-page` speaks on the wire."""

import http.client
import json
import signal
import socket
import subprocess
import time
import unittest

import stage
from offline_page import PORT, PROGRAM, ServerTestCase


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

    def test_only_the_page_itself_chooses_an_option_and_only_one_that_is_shown(self):
        done = self.stage.folder / "done"
        self.start("--offer", f"Do it=touch {done}")
        events = Events(self)
        self.stage.pull_cable()
        while not (problem := events.next_report().get("problem")):
            pass
        self.assertEqual([option["title"] for option in problem["options"]], ["Do it", "Not Now"])
        ours = f"http://localhost:{PORT}"

        def choose(name, option, **headers):
            return self.request("POST", f"/choice/{name}/{option}", f"localhost:{PORT}", **headers).status

        for headers in ({}, {"Origin": "null"}, {"Origin": "http://localhost"}, {"Origin": stage.SERVER}):
            self.assertEqual(choose(problem["id"], "offer-1", **headers), 403)
        self.assertEqual(choose("0" * 32, "offer-1", Origin=ours), 409)
        self.assertEqual(choose(problem["id"], "offer-2", Origin=ours), 409)
        self.assertFalse(done.exists())
        self.assertEqual(choose(problem["id"], "offer-1", Origin=ours), 204)
        stage.wait_until(done.exists, lambda: "the command was not run")
        # Nobody chooses twice.
        while events.next_report().get("problem"):
            pass
        self.assertEqual(choose(problem["id"], "offer-1", Origin=ours), 409)

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


if __name__ == "__main__":
    unittest.main()
