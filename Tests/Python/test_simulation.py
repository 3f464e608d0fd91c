"""PATHMONITOR_SIMULATE takes the place of the service and of the kernel, as in the other libraries."""

import asyncio
import contextlib
import os
import sys
import threading
import time
import unittest

import pathmonitor
from support import Case


@contextlib.contextmanager
def simulated(text):
    """A simulation that begins now."""
    pathmonitor._simulation._simulation.cache_clear()
    os.environ["PATHMONITOR_SIMULATE"] = text
    try:
        yield
    finally:
        del os.environ["PATHMONITOR_SIMULATE"]
        pathmonitor._simulation._simulation.cache_clear()


class SimulationCase(Case):
    def script(self, *lines):
        file = self.folder / "script"
        file.write_text("\n".join(lines))
        return f"script:{file}"


class Simulated(SimulationCase):
    def test_the_words_make_the_path_whatever_source_is_chosen(self):
        with self.assertLogs("pathmonitor"), simulated("wifi,expensive,no-ipv6"):
            for source in ["auto", "service", "direct"]:
                path = pathmonitor.current(source=source, socket="/nonexistent")
                self.assertEqual((path.source, path.interface.name, path.interface_type), ("simulation", "wlan0", "wifi"))
                self.assertEqual((path.is_expensive, path.supports_ipv6, path.overrides), (True, False, ("simulated",)))

    def test_offline_and_unknown_are_not_the_same(self):
        with self.assertLogs("pathmonitor"), simulated("offline"):
            self.assertEqual(pathmonitor.current().unsatisfied_reason, "noRoute")
            met = ["offline", "not-connected", "not-(connected)", "!((online))", "offline|wifi"]
            unmet = ["connected", "not-offline", "not-(offline)", "not-wifi", "not-(wifi,dns)", "not-validated", "portal"]
            self.assertEqual({one: pathmonitor.check(one) for one in met + unmet}, {one: one in met for one in met + unmet})
        with self.assertLogs("pathmonitor"), simulated("unknown"):
            self.assertEqual(pathmonitor.current().knowledge, "unknown")
            with self.assertRaises(pathmonitor.VerdictUnknown):
                pathmonitor.check("connected")

    def test_requirements_are_judged_as_the_service_judges_them(self):
        verdicts = {
            "connected": True, "online,wifi": True, "offline": False, "not-connected": False, "!offline": True,
            "unmetered": False, "metered": True, "unconstrained": True, "constrained": False, "ethernet|wifi": True,
            "(ethernet|wifi),not-vpn": True, "not-(wifi,metered)": False, "ipv4,dns": True, "ipv6": False,
            "portal": False, "not-portal": True, "interface=wlan0": True, "via=wifi": True, "via=eth0": False,
            "type=wired": False, "wifi|validated": True, "vpn,validated": False, "lan": False, "tunnel": False,
            "not-unmetered-known": True,
        }  # fmt: skip
        with self.assertLogs("pathmonitor"), simulated("wifi,expensive,no-ipv6"):
            self.assertEqual({text: pathmonitor.check(text) for text in verdicts}, verdicts)
            for text in ["validated", "not-validated", "wifi,validated", "vpn|validated", "not-(validated)"]:
                with self.subTest(text=text), self.assertRaises(pathmonitor.VerdictUnknown):
                    pathmonitor.check(text)

    def test_a_text_that_is_no_requirement_is_one_here_too(self):
        with self.assertLogs("pathmonitor"), simulated("online"):
            for text in ["", "fast", "wifi,", "wifi|lan,dns", "(wifi", "wifi)", "not-", "via=", "a=b", "(" * 9 + "wifi" + ")" * 9,
                         ",".join(["wifi"] * 33), "x" * 1_025]:  # fmt: skip
                with self.subTest(text=text[:20]), self.assertRaises(pathmonitor.InvalidRequirement):
                    pathmonitor.check(text)

    def test_a_script_is_followed(self):
        with self.assertLogs("pathmonitor"), simulated(self.script("# a tunnel", "0s wifi", "", "0.2s offline", "400ms vpn")):
            paths = pathmonitor.watch()
            found = [next(paths) for _ in range(3)]
            paths.close()
            self.assertEqual([path.is_connected for path in found], [True, False, True])
            self.assertIn("interface_type", found[2].changed)
            self.assertEqual(pathmonitor.wait("vpn", timeout=0).interface.name, "tun0")
            with self.assertRaises(pathmonitor.WaitTimeout):
                pathmonitor.wait("wifi", timeout=0.05)

    def test_wait_and_required_follow_a_script_in_threads_and_in_asyncio(self):
        async def follow():
            async with pathmonitor.required("wifi") as link:
                while not link.is_lost:
                    await asyncio.sleep(0.01)
            return link.path

        for body in [lambda: pathmonitor.wait("offline", timeout=20), lambda: asyncio.run(follow())]:
            with self.assertLogs("pathmonitor"), simulated(self.script("0s wifi", "0.3s offline")):
                self.assertEqual(body().status, "unsatisfied")

    def test_mistakes_are_named_and_make_no_path_known(self):
        texts = {
            "fast": "'fast' is not known; allowed: online, ", "offline,wifi": "'offline' stands alone",
            "wifi,vpn": "one interface carries", "script:/nonexistent": "cannot be read",
        }  # fmt: skip
        scripts = {
            "5s": "line 1: a line is a time and a path", "5x wifi": "is not a time span", "# none": "no line with a path",
            "5s wifi\n4s wifi": "line 2: 4s is before the line above",
        }  # fmt: skip
        for script, words in scripts.items():
            file = self.folder / str(len(texts))
            file.write_text(script)
            texts[f"script:{file}"] = words
        for text, words in texts.items():
            with self.subTest(text=text), simulated(text):
                with self.assertRaisesRegex(pathmonitor.SourceUnavailable, words):
                    pathmonitor.current()

    def test_time_spans_are_those_of_the_scripts(self):
        for text, seconds in {"5s": 5, "1min30s": 90, "250ms": 0.25, "1.5h": 5_400, "3": 3}.items():
            self.assertEqual(pathmonitor._simulation.seconds(text), seconds)
        for text in ["", "s", "-1s", "1y", "1..5s", "54w", "\uff11s"]:
            with self.subTest(text=text), self.assertRaises(ValueError):
                pathmonitor._simulation.seconds(text)


class Asyncio(SimulationCase):
    def run_simulated(self, body, *lines):
        with self.assertLogs("pathmonitor"), simulated(self.script(*lines)):
            return asyncio.run(body())

    def test_current_and_check_do_not_hold_the_loop(self):
        async def body():
            path = await pathmonitor.current_async()
            return path.interface.name, await pathmonitor.check_async("wifi"), await pathmonitor.check_async("vpn")

        self.assertEqual(self.run_simulated(body, "0s wifi"), ("wlan0", True, False))

    def test_a_loss_cancels_the_body_as_an_error_of_its_own(self):
        async def body():
            with self.assertRaises(pathmonitor.RequirementLost) as caught:
                async with pathmonitor.required("wifi", raises=True):
                    await asyncio.sleep(50)
            await asyncio.sleep(0.01)  # nothing of the cancellation is left
            return caught.exception.path.status

        self.assertEqual(self.run_simulated(body, "0s wifi", "0.3s offline"), "unsatisfied")

    def test_a_cancellation_by_others_stays_one(self):
        async def body():
            async def work():
                async with pathmonitor.required("wifi", raises=True):
                    await asyncio.sleep(50)

            task = asyncio.ensure_future(work())
            await asyncio.sleep(0.05)
            task.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await task

        self.run_simulated(body, "0s wifi")

    def test_an_error_of_the_body_passes_and_a_body_that_ends_leaves_nothing(self):
        async def body():
            with self.assertRaises(KeyError):
                async with pathmonitor.required("wifi"):
                    raise KeyError
            async with pathmonitor.required("wifi", raises=True) as link:
                pass
            self.assertEqual(len(asyncio.all_tasks()), 1)
            return link.is_lost

        self.assertFalse(self.run_simulated(body, "0s wifi"))

    def test_entering_raises_what_wait_raises(self):
        async def body():
            with self.assertRaises(pathmonitor.WaitTimeout):
                async with pathmonitor.required("vpn", timeout=0.05):
                    self.fail("it is no VPN")

        self.run_simulated(body, "0s wifi")


class Interrupted(SimulationCase):
    """RequirementLost is raised in the body's thread, and neither the `with` nor the `try` around it is passed over."""

    lock = threading.Lock()

    def loop(self):
        number = 0
        while number < 10**12:
            number += 1

    def locks(self):
        while True:
            with self.lock:
                number = 1
            number += 1

    def sleeps(self):
        while True:
            time.sleep(0.001)

    def lose(self, body):
        with self.assertLogs("pathmonitor"), simulated(self.script("0s wifi", "0.05s offline")):
            link = pathmonitor.required("wifi", raises=True)
            try:
                with link:
                    body() if body else None
                    number = 0
                    while number < 10**12:
                        number += 1
            except pathmonitor.RequirementLost as error:
                return link, error
        self.fail("it was not raised")

    def test_whatever_the_body_does(self):
        # Before 3.13 an exception can come between the lock and the `with` that opens it again.
        bodies = [None, self.loop, self.sleeps, *([self.locks] if sys.version_info >= (3, 13) else [])]
        for body in bodies:
            for _ in range(5):
                with self.subTest(body=body):
                    link, error = self.lose(body)
                    self.assertEqual((error.path.status, link.is_lost), ("unsatisfied", True))
                    self.assertFalse(self.lock.locked())
                    self.assertEqual(threading.active_count(), 1, "the thread has ended: `__exit__` has run")


if __name__ == "__main__":
    unittest.main()
