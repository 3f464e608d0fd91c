"""A program at the socket may send anything, or nothing: the client gives a clear error, or a stale path."""

import asyncio
import itertools
import json
import socket
import threading
import time
from unittest import mock

import pathmonitor
from pathmonitor._sources import run
from support import PATH, Case, FalseService, descriptors, frame, resident_bytes

GARBAGE = [b"HTTP/1.1 400 Bad Request\r\n\r\n\0", b"\0", b"{}\0", b"[]\0", b'{"parameters":[]}\0', b'{"parameters":{}}\0',
           b'{"parameters":{"path":7}}\0', b"\xff\xfe\0", b'{"parameters":{"path":{"status":"satisfied"}}}\0',
           b"[" * 1_000_000 + b"\0", b'{"a":' + b"9" * 1_000_000 + b"}\0"]  # fmt: skip


def lines_of(answer):
    """An answer that sends some bytes and ends the connection."""
    return lambda connection, call: connection.sendall(answer)


class FalseServices(Case):
    def serve(self, answer, **options):
        service = FalseService(self.socket, answer, **options)
        self.addCleanup(service.end)
        return service

    def watch(self):
        watch = pathmonitor.watch(source="service", socket=self.socket)
        self.addCleanup(watch.close)
        return watch

    def test_garbage_before_the_first_path_is_an_error(self):
        answers = iter(GARBAGE * 3)
        self.serve(lambda connection, call: connection.sendall(next(answers)))
        for call in [pathmonitor.current, lambda **options: next(pathmonitor.watch(**options)),
                     lambda **options: pathmonitor.wait("wifi", 1, **options)]:  # fmt: skip
            for garbage in GARBAGE:
                with self.subTest(garbage=garbage[:30]), self.assertRaises(pathmonitor.SourceUnavailable) as raised:
                    call(source="service", socket=self.socket)
                self.assertRegex(str(raised.exception), "Varlink|understood|changes|ended")

    def test_garbage_after_a_path_makes_it_stale_and_the_next_path_known(self):
        answers = [frame() + b"garbage\0", *[b"\xff\0"] * 5, frame({"isExpensive": True, "sequence": 5})]

        def answer(connection, call):
            connection.sendall(answers.pop(0))
            if not answers:
                connection.recv(1)

        self.serve(answer)
        watch = self.watch()
        self.assertEqual(next(watch).knowledge, "known")
        # The pauses are 50, 100, 200, 400, 800 and 1,600 ms, so that the seventh connection comes after the loss.
        stale = self.within(1.9, 10, lambda: next(watch))
        self.assertEqual((stale.knowledge, stale.status, stale.changed), ("stale", "satisfied", ("knowledge",)))
        self.assertEqual(next(watch).changed, ("knowledge", "is_expensive"))
        watch.close()

    def test_a_frame_of_10_megabytes_is_refused_in_little_memory(self):
        self.serve(lines_of(b" " * (10 << 20) + frame()))
        before = resident_bytes()
        with self.assertRaisesRegex(pathmonitor.SourceUnavailable, "more than 4194304 bytes"):
            pathmonitor.current(source="service", socket=self.socket)
        self.assertLess(resident_bytes() - before, 24 << 20)

    def test_a_frame_without_an_end_is_refused(self):
        def answer(connection, call):
            while True:
                connection.sendall(b"x" * 65_536)

        self.serve(answer)
        with self.assertRaisesRegex(pathmonitor.SourceUnavailable, "more than 4194304 bytes"):
            pathmonitor.current(source="service", socket=self.socket)

    def test_a_reply_that_comes_byte_by_byte_is_read(self):
        def answer(connection, call):
            for byte in frame({"gateways": ["192.0.2.1"]}) * 2:
                connection.sendall(bytes([byte]))

        self.serve(answer)
        self.assertEqual(pathmonitor.current(source="service", socket=self.socket).gateways, ("192.0.2.1",))

    def test_many_replies_at_once_are_all_read(self):
        replies = b"".join(frame({"sequence": number, "gateways": [f"192.0.2.{number % 250}"]}) for number in range(600))
        self.serve(lambda connection, call: (connection.sendall(replies), connection.recv(1)))
        watch = self.watch()
        self.assertEqual([next(watch).sequence for _ in range(600)], list(range(600)))
        watch.close()

    def test_a_service_that_does_not_answer_is_noticed_after_2_seconds(self):
        self.serve(lambda connection, call: connection.recv(1))
        for call in [pathmonitor.current, lambda **options: next(pathmonitor.watch(**options)),
                     lambda **options: pathmonitor.wait("wifi", 60, **options)]:  # fmt: skip
            with self.assertRaisesRegex(pathmonitor.SourceUnavailable, "does not answer"):
                self.within(1.9, 10, lambda: call(source="service", socket=self.socket))

    def test_a_full_queue_is_waited_for_2_seconds(self):
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(self.socket)
            listener.listen(0)
            waiting = [socket.socket(socket.AF_UNIX) for _ in range(2)]
            self.addCleanup(lambda: [one.close() for one in waiting])
            for one in waiting:
                one.setblocking(False)
                if one.connect_ex(self.socket):
                    break
            else:
                self.fail("the queue is not full")
            with self.assertRaisesRegex(pathmonitor.SourceUnavailable, "does not answer"):
                self.within(1.9, 10, lambda: pathmonitor.current(source="service", socket=self.socket))

            def admit():
                time.sleep(0.5)
                listener.accept()[0].close()
                connection, _ = listener.accept()
                connection.recv(4_096)
                connection.sendall(frame())
                connection.close()

            thread = threading.Thread(target=admit)
            thread.start()
            path = self.within(0.4, 10, lambda: pathmonitor.current(source="service", socket=self.socket))
            thread.join()
            self.assertEqual(path.status, "satisfied")

    def test_a_queue_that_stays_full_does_not_hold_the_event_loop(self):
        with socket.socket(socket.AF_UNIX) as listener, socket.socket(socket.AF_UNIX) as waiting:
            listener.bind(self.socket)
            listener.listen(0)
            waiting.connect(self.socket)

            async def run():
                watch = pathmonitor.watch_async(source="service", socket=self.socket)
                task = asyncio.ensure_future(watch.__anext__())
                turns = 0
                while not task.done():
                    await asyncio.sleep(0.01)
                    turns += 1
                with self.assertRaises(pathmonitor.SourceUnavailable):
                    task.result()
                return turns

            self.assertGreater(asyncio.run(run()), 20)

    def test_error_replies_are_exceptions_with_sentences(self):
        ours, standard = "io.pathmonitor.PathMonitor.", "org.varlink.service."
        rows = [
            (ours + "InvalidRequirement", {"text": "wifii", "position": 0, "allowed": ["wifi", "vpn"]},
             pathmonitor.InvalidRequirement, "the service does not understand the requirement 'wifii' at byte 0. Allowed there: wifi, vpn."),
            (ours + "InvalidRequirement", {}, pathmonitor.InvalidRequirement, "requirement 'None'"),
            (ours + "LimitReached", {"limit": "streams", "value": 64}, pathmonitor.RequestDeclined,
             "the service has reached a limit: limit = streams, value = 64. Try again later."),
            (ours + "TimedOut", {"path": {"status": "unsatisfied", "knowledge": "known"}}, pathmonitor.WaitTimeout, "in time"),
            (ours + "TimedOut", {}, pathmonitor.SourceUnavailable, "is no object"),
            (standard + "MethodNotFound", {"method": "X"}, pathmonitor.RequestDeclined, "older than this package: method = X. Upgrade"),
            (standard + "PermissionDenied", {}, pathmonitor.RequestDeclined, "the error org.varlink.service.PermissionDenied"),
            (7, {}, pathmonitor.RequestDeclined, "the error 7"),
        ]  # fmt: skip
        replies = [json.dumps({"error": name, "parameters": parameters}).encode() + b"\0" for name, parameters, *_ in rows]
        self.serve(lambda connection, call: connection.sendall(replies.pop(0)))
        for name, _, kind, words in rows:
            with self.subTest(name=name), self.assertRaises(kind) as raised:
                pathmonitor.current(source="service", socket=self.socket)
            self.assertIn(words, str(raised.exception))

    def test_check_does_not_know_the_verdict_if_the_opposite_is_beyond_the_limits_of_the_grammar(self):
        def answer(connection, call):
            text, prefix = call["parameters"]["requirement"], "io.pathmonitor.PathMonitor."
            found = {"path": {**PATH, "status": "unsatisfied", "unsatisfiedReason": "requirementNotMet"}}
            beyond = {"text": text, "position": 1_024, "allowed": []}
            name, parameters = ("InvalidRequirement", beyond) if text.startswith("not-") else ("TimedOut", found)
            connection.sendall(json.dumps({"error": prefix + name, "parameters": parameters}).encode() + b"\0")

        self.serve(answer)
        with self.assertRaises(pathmonitor.VerdictUnknown) as raised:
            pathmonitor.check("(" * 8 + "validated" + ")" * 8, source="service", socket=self.socket)
        self.assertEqual(raised.exception.path.unsatisfied_reason, "requirementNotMet")

    def test_a_limit_that_is_reached_before_the_first_path_is_an_error_and_later_a_stale_path(self):
        limit = b'{"error":"io.pathmonitor.PathMonitor.LimitReached","parameters":{}}\0'
        answers = itertools.chain([limit, frame()], itertools.repeat(limit))
        self.serve(lambda connection, call: connection.sendall(next(answers)))
        with self.assertRaises(pathmonitor.RequestDeclined):
            next(self.watch())
        watch = self.watch()
        self.assertEqual([next(watch).knowledge, next(watch).knowledge], ["known", "stale"])
        watch.close()

    def test_a_flood_of_equal_paths_leaves_the_event_loop_to_others(self):
        ends = threading.Event()

        def answer(connection, call):
            while not ends.is_set():
                connection.sendall(frame() * 100)

        self.serve(answer)

        async def run():
            watch = pathmonitor.watch_async(source="service", socket=self.socket)
            await watch.__anext__()
            with self.assertRaises(asyncio.TimeoutError):
                await asyncio.wait_for(watch.__anext__(), 0.3)
            await watch.aclose()

        self.within(0.2, 10, lambda: asyncio.run(run()))
        ends.set()

    def test_the_pauses_are_those_of_pathctl(self):
        times = []
        self.serve(lambda connection, call: (times.append(time.monotonic()), connection.sendall(frame()))[-1])
        watch = self.watch()
        next(watch)
        self.assertEqual(next(watch).knowledge, "stale")
        watch.close()
        gaps = [later - earlier for earlier, later in zip(times, times[1:])]
        for gap, expected in zip(gaps, [0.05, 0.1, 0.2, 0.4, 0.8, 1.6]):
            self.assertTrue(expected <= gap, gaps)
        # The next pause is longer than a path stays known without the service.
        self.assertEqual(len(gaps), 6)
        pauses = list(itertools.islice(pathmonitor._follower.pauses(), 10))
        self.assertEqual(pauses, [0.05, 0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 10.0, 10.0])

    def test_10_000_new_connections_leave_nothing_behind(self):
        number = itertools.count()
        service = self.serve(lambda connection, call: connection.sendall(frame({"sequence": 1, "isExpensive": next(number) % 2 == 0})))
        with mock.patch.object(pathmonitor._follower, "pauses", lambda: itertools.repeat(0.0)):
            watch = self.watch()
            for _ in range(500):
                next(watch)
            before = descriptors(), threading.active_count(), resident_bytes()
            while service.connections < 10_500:
                next(watch)
            after = descriptors(), threading.active_count(), resident_bytes()
            watch.close()
        # The last connection of the service, which is in this process, may be open or closed.
        self.assertLess(after[0] - before[0], 3)
        self.assertEqual(after[1], before[1])
        self.assertLess(after[2] - before[2], 2 << 20)

    def test_1_000_cancelled_iterations_leave_nothing_behind(self):
        service = self.serve(lambda connection, call: (connection.sendall(frame()), connection.recv(1)))

        async def run():
            before = descriptors(), len(asyncio.all_tasks())
            watch = pathmonitor.watch_async(source="service", socket=self.socket)
            await watch.__anext__()
            for _ in range(1_000):
                task = asyncio.ensure_future(watch.__anext__())
                await asyncio.sleep(0)
                await asyncio.sleep(0)
                task.cancel()
                with self.assertRaises(asyncio.CancelledError):
                    await task
            await watch.aclose()
            self.assertEqual((service.descriptors(), len(asyncio.all_tasks())), before)

        asyncio.run(run())

    def test_a_watch_that_is_left_by_break_is_closed(self):
        service = self.serve(lambda connection, call: (connection.sendall(frame()), connection.recv(1)))
        before = descriptors()
        for _ in pathmonitor.watch(source="service", socket=self.socket):
            break
        self.assertEqual(service.descriptors(), before)

        async def run():
            inside = descriptors()
            async for _ in pathmonitor.watch_async(source="service", socket=self.socket):
                break
            self.assertEqual(service.descriptors(), inside)

        asyncio.run(run())

    def test_equal_paths_give_others_a_turn_between_them(self):
        self.serve(lambda connection, call: (connection.sendall(frame() * 3), connection.recv(1)))
        follower = pathmonitor._follower.Follower(pathmonitor._follower.Origin("service", self.socket))
        run(follower.next())
        flow = follower.next()
        self.assertEqual([next(flow), next(flow)], [((), 0.0)] * 2)
        flow.close()
        follower.close()

    def test_required_is_not_lost_with_a_path_that_is_not_known(self):
        goes_on = threading.Event()
        changes = [frame({"status": "unsatisfied", "knowledge": "unknown"}), frame({"status": "unsatisfied"})]

        def answer(connection, call):
            connection.sendall(frame())
            if call["method"].endswith(".WatchPath"):
                connection.sendall(changes[0])
                goes_on.wait()
                connection.sendall(changes[1])
                connection.recv(1)

        self.serve(answer)
        with pathmonitor.required("wifi", source="service", socket=self.socket) as link:
            time.sleep(0.3)
            self.assertFalse(link.is_lost)
            goes_on.set()
            while not link.is_lost:
                time.sleep(0.01)

    def test_a_socket_that_cannot_be_used_is_a_clear_error(self):
        for path in [str(self.folder / "none"), "/etc/passwd/x", "/" + "x" * 200, str(self.folder), "/etc/passwd"]:
            for call in [pathmonitor.current, lambda **options: next(pathmonitor.watch(**options)),
                         lambda **options: pathmonitor.check("wifi", **options)]:  # fmt: skip
                with self.subTest(path=path), self.assertRaises(pathmonitor.SourceUnavailable) as raised:
                    call(source="service", socket=path)
                self.assertIn(path[:100], str(raised.exception))
        with self.assertRaisesRegex(ValueError, "must be 'auto', 'service' or 'direct'"):
            pathmonitor.current(source="kernel")
