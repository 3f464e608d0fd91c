"""The package against the release service and the real kernel, in a network namespace."""

import asyncio
import gc
import os
import queue
import resource
import signal
import subprocess
import threading
import time

import pathmonitor
from support import GATEWAY, PROGRAMS, Case, Service, children, descriptors, ip, lose_route, resident_bytes, restore_route


class Served(Case):
    def setUp(self):
        super().setUp()
        restore_route()
        self.addCleanup(restore_route)
        self.service = Service(self.socket)
        self.addCleanup(lambda: self.service.end())
        self.options = {"source": "service", "socket": self.socket}

    def watch(self, **options):
        watch = pathmonitor.watch(**{**self.options, **options})
        self.addCleanup(watch.close)
        return watch

    def next_with(self, watch, **fields):
        """The next path that has these values, with those before it."""
        seen = []
        while not seen or any(getattr(seen[-1], name) != value for name, value in fields.items()):
            seen.append(next(watch))
        return seen[-1]


class TheService(Served):
    def test_each_flip_of_the_route_is_a_path_in_order(self):
        watch, statuses = self.watch(), []
        statuses.append(next(watch).status)
        for _ in range(5):
            lose_route()
            statuses.append(next(watch).status)
            restore_route()
            path = next(watch)
            statuses.append(path.status)
            self.assertIn("status", path.changed)
        watch.close()
        self.assertEqual(statuses, ["satisfied"] + ["unsatisfied", "satisfied"] * 5)
        self.assertEqual((path.interface.name, path.gateways, path.source), ("eth0", (GATEWAY,), "service"))

    def test_a_service_that_is_killed_and_started_is_followed_again_and_nothing_is_ever_offline(self):
        watch, seen = self.watch(), []
        seen.append(next(watch))
        self.service.signal(signal.SIGKILL)
        self.service.process.wait()
        seen.append(self.within(1.9, 10, lambda: next(watch)))
        thread = threading.Thread(target=lambda: seen.append(next(watch)))
        thread.start()
        # The pause that begins 3.15 s after the loss takes 3.2 s, but a new socket ends it within a second.
        time.sleep(1.4)
        self.service.start()
        self.within(0, 2.5, thread.join)
        watch.close()
        self.assertEqual([path.knowledge for path in seen], ["known", "stale", "known"])
        self.assertEqual({path.status for path in seen}, {"satisfied"})
        self.assertTrue(seen[1].is_stale and seen[1].is_connected)

    def test_a_process_without_a_descriptor_left_gets_a_stale_path_and_later_a_known_one(self):
        limits = resource.getrlimit(resource.RLIMIT_NOFILE)
        self.addCleanup(resource.setrlimit, resource.RLIMIT_NOFILE, limits)
        for source in ["service", "direct"]:
            watch = self.watch(source=source)
            next(watch)
            own = watch.gi_frame.f_locals["follower"]._source
            resource.setrlimit(resource.RLIMIT_NOFILE, (3, limits[1]))
            if source == "service":
                self.service.end()
            else:
                own._process.kill()
            self.assertEqual(next(watch).knowledge, "stale")
            with self.assertRaisesRegex(pathmonitor.SourceUnavailable, "Too many open files"):
                pathmonitor.current(source=source, socket=self.socket)
            resource.setrlimit(resource.RLIMIT_NOFILE, limits)
            if source == "service":
                self.service.start()
            self.assertEqual(next(watch).knowledge, "known")
            watch.close()

    def test_a_service_that_is_stopped_for_30_seconds_delivers_the_newest_path_when_it_goes_on(self):
        watch = self.watch()
        next(watch)
        self.service.signal(signal.SIGSTOP)
        began = time.monotonic()
        lose_route()
        # A program that asks meanwhile gets an error after two seconds, or asks the kernel.
        with self.assertRaisesRegex(pathmonitor.SourceUnavailable, "does not answer"):
            self.within(1.9, 10, lambda: pathmonitor.current(**self.options))
        with self.assertLogs("pathmonitor", "WARNING"):
            path = self.within(1.9, 10, lambda: pathmonitor.current(socket=self.socket))
        self.assertEqual((path.source, path.status), ("direct", "unsatisfied"))
        threading.Timer(max(0, began + 30 - time.monotonic()), self.service.signal, [signal.SIGCONT]).start()
        self.assertEqual(self.within(15, 40, lambda: next(watch)).status, "unsatisfied")
        restore_route()
        self.assertEqual(next(watch).status, "satisfied")
        watch.close()

    def test_check_judges_as_pathctl_does(self):
        for requirement in ["connected", "offline", "not-offline", "wifi", "ethernet,ipv4", "not-(wifi,unmetered)", "!vpn",
                            "via=eth0", "via=wlan0", "interface=eth0", "type=wifi", "unmetered-known", "not-portal",
                            "validated", "not-validated", "not-(validated)", "wifii", "", "wifi,", "ethernet,validated", "--help", "-V"]:
            for change in [restore_route, lose_route]:
                change()
                pathmonitor.wait("offline" if change is lose_route else "connected", 5, **self.options)
                words = [PROGRAMS / "pathctl", "check", "--quiet", "--socket", self.socket, "--", requirement]
                status = subprocess.run(words, stderr=subprocess.DEVNULL).returncode
                for source in ["service", "direct"]:
                    with self.subTest(requirement=requirement, change=change.__name__, source=source):
                        try:
                            found = 0 if pathmonitor.check(requirement, source=source, socket=self.socket) else 1
                        except pathmonitor.InvalidRequirement as error:
                            self.assertIn(requirement, str(error))
                            found = 64
                        except pathmonitor.VerdictUnknown:
                            found = 69
                        self.assertEqual(found, status)

    def test_a_requirement_that_no_program_can_be_given_is_an_error(self):
        for source in ["service", "direct"]:
            for requirement in ["a\0b", "\ud800", "x" * 300_000]:
                with self.subTest(source=source, requirement=requirement[:9]), self.assertRaises(pathmonitor.PathMonitorError):
                    pathmonitor.check(requirement, source=source, socket=self.socket)

    def test_wait_ends_when_the_path_is_as_required_and_not_before(self):
        for source in ["service", "direct"]:
            lose_route()
            pathmonitor.wait("offline", 5, **self.options)
            threading.Timer(0.5, restore_route).start()
            path = self.within(0.4, 9, lambda: pathmonitor.wait("ethernet", 10, source=source, socket=self.socket))
            self.assertEqual((path.status, path.source), ("satisfied", source))

    def test_wait_times_out_with_the_last_path(self):
        for source in ["service", "direct"]:
            for timeout in [0, -1, 0.3]:
                with self.subTest(source=source, timeout=timeout), self.assertRaises(TimeoutError) as raised:
                    self.within(0, 9, lambda: pathmonitor.wait("wifi", timeout, source=source, socket=self.socket))
                self.assertEqual(raised.exception.path.interfaces[0].name, "eth0")
            with self.assertRaises(pathmonitor.InvalidRequirement):
                pathmonitor.wait("wifii", 1, source=source, socket=self.socket)

    def test_wait_outlasts_a_restart_of_the_service(self):
        lose_route()
        pathmonitor.wait("offline", 5, **self.options)

        def restart():
            time.sleep(0.3)
            self.service.signal(signal.SIGKILL)
            self.service.process.wait()
            time.sleep(0.5)
            restore_route()
            self.service.start()

        thread = threading.Thread(target=restart)
        thread.start()
        path = pathmonitor.wait("connected", 20, **self.options)
        thread.join()
        self.assertEqual(path.status, "satisfied")

    def test_wait_for_a_service_that_has_gone_times_out(self):
        threading.Timer(0.3, self.service.signal, [signal.SIGKILL]).start()
        with self.assertRaisesRegex(pathmonitor.WaitTimeout, "not become 'wifi' in time"):
            self.within(0.9, 10, lambda: pathmonitor.wait("wifi", 1, **self.options))

    def test_required_notices_a_loss_and_keeps_it(self):
        for source in ["service", "direct"]:
            with pathmonitor.required("ethernet", 5, source=source, socket=self.socket) as link:
                self.assertEqual((link.path.source, link.is_lost), (source, False))
                lose_route()
                while not link.is_lost:
                    time.sleep(0.01)
                self.assertEqual(link.path.status, "unsatisfied")
                restore_route()
                pathmonitor.wait("ethernet", 5, **self.options)
                self.assertTrue(link.is_lost)

    def test_required_is_lost_with_a_path_that_is_connected_in_another_way(self):
        for source in ["service", "direct"]:
            with pathmonitor.required("not-ipv6", 5, source=source, socket=self.socket) as link:
                ip("-6 address add 2001:db8::2/64 dev eth0 nodad")
                ip("-6 route add default via 2001:db8::1")
                while not link.is_lost:
                    time.sleep(0.01)
            ip("-6 address flush dev eth0 scope global")
            ip("-6 route flush default")
            pathmonitor.wait("not-ipv6", 5, **self.options)

    def test_required_offline_is_lost_with_the_first_path(self):
        lose_route()
        with pathmonitor.required("offline", 5, **self.options) as link:
            restore_route()
            while not link.is_lost:
                time.sleep(0.01)

    def test_required_is_not_lost_from_one_alternative_to_the_other(self):
        lose_route()
        with pathmonitor.required("offline|ethernet", 5, **self.options) as link:
            for change in restore_route, lose_route, restore_route:
                change()
                time.sleep(0.5)
            self.assertFalse(link.is_lost)

    def test_required_is_not_lost_while_the_path_is_not_known(self):
        with pathmonitor.required("ethernet", 5, raises=True, **self.options) as link:
            self.service.signal(signal.SIGKILL)
            self.service.process.wait()
            time.sleep(2.5)
            self.service.start()
            time.sleep(1.2)
            self.assertFalse(link.is_lost)

    def test_required_raises_in_the_thread_of_the_body_if_asked(self):
        raised = queue.Queue()

        def body():
            try:
                with pathmonitor.required("ethernet", 5, raises=True, **self.options):
                    ready.set()
                    while True:
                        time.sleep(0.01)
            except pathmonitor.RequirementLost as error:
                raised.put(error.path.status)

        for run in [lambda: body(), lambda: threading.Thread(target=body).start()]:
            ready = threading.Event()
            loss = threading.Thread(target=lambda: (ready.wait(), lose_route()))
            loss.start()
            run()
            self.assertEqual(raised.get(timeout=10), "unsatisfied")
            loss.join()
            restore_route()
            pathmonitor.wait("ethernet", 5, **self.options)

    def test_a_loss_at_the_end_of_the_body_is_raised_there_or_never(self):
        for number in range(30):
            restore_route()
            pathmonitor.wait("ethernet", 5, **self.options)
            # The loss of a path that has not settled would be announced at once.
            time.sleep(0.2)
            # Not in the body: a command that is interrupted there would be left behind.
            loss = threading.Thread(target=lose_route)
            try:
                with pathmonitor.required("ethernet", 5, raises=True, **self.options) as link:
                    loss.start()
                    # A loss settles after 200 ms.
                    time.sleep(0.19 + number * 0.001)
            except pathmonitor.RequirementLost:
                self.assertTrue(link.is_lost)
            loss.join()
        while threading.active_count() > 1:  # a body that was interrupted in __exit__ has not waited for the thread
            time.sleep(0.01)

    def test_an_error_of_the_body_passes_required(self):
        with self.assertRaises(KeyError), pathmonitor.required("ethernet", 5, **self.options):
            raise KeyError

    def test_threads_each_have_their_own_watch(self):
        seen, ready = queue.Queue(), threading.Barrier(11)

        def follow():
            watch = pathmonitor.watch(**self.options)
            first = next(watch).status
            ready.wait()
            seen.put([first, next(watch).status])
            watch.close()

        threads = [threading.Thread(target=follow) for _ in range(10)]
        for thread in threads:
            thread.start()
        ready.wait()
        lose_route()
        for thread in threads:
            thread.join()
        self.assertEqual([seen.get() for _ in threads], [["satisfied", "unsatisfied"]] * 10)

    def test_a_forked_process_and_its_parent_both_go_on(self):
        for source in ["service", "direct"]:
            watch = self.watch(source=source)
            next(watch)
            own = watch.gi_frame.f_locals["follower"]._source
            output, input_ = os.pipe()
            process = os.fork()
            if process == 0:
                # The parent's stream is not the child's to read or to end: the child has one of its own.
                os._exit(0 if os.write(input_, b"!") and next(watch).status == "unsatisfied" else 1)
            os.read(output, 1)
            os.close(output)
            os.close(input_)
            time.sleep(0.3)
            lose_route()
            self.assertEqual(next(watch).status, "unsatisfied")
            self.assertEqual(os.waitpid(process, 0)[1], 0)
            restore_route()
            self.assertEqual(next(watch).status, "satisfied")
            self.assertIs(watch.gi_frame.f_locals["follower"]._source, own)
            watch.close()

    def test_a_forked_process_may_leave_the_body_of_required(self):
        with pathmonitor.required("ethernet", 5, raises=True, **self.options) as link:
            process = os.fork()
            if process == 0:
                link.__exit__(None, None, None)
                os._exit(0)
            self.assertEqual(os.waitpid(process, 0)[1], 0)
            lose_route()
            with self.assertRaises(pathmonitor.RequirementLost):
                while True:
                    time.sleep(0.01)

    def test_a_cancelled_iteration_goes_on_and_a_loop_is_left_clean(self):
        async def run():
            registered = asyncio.get_running_loop()._selector.get_map()
            before, readers = descriptors(), len(registered)
            watch = pathmonitor.watch_async(**self.options)
            statuses = [(await watch.__anext__()).status]
            for change in [lose_route, restore_route]:
                with self.assertRaises(asyncio.TimeoutError):
                    await asyncio.wait_for(watch.__anext__(), 0.1)
                change()
                statuses.append((await watch.__anext__()).status)
            task = asyncio.ensure_future(pathmonitor.wait_async("wifi", **self.options))
            await asyncio.sleep(0.2)
            task.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await task
            self.assertEqual((await pathmonitor.wait_async("ethernet", 1, **self.options)).status, "satisfied")
            await watch.aclose()
            self.assertEqual([path async for path in watch], [])
            self.assertEqual((descriptors(), len(asyncio.all_tasks()), len(registered)), (before, 1, readers))
            return statuses

        self.assertEqual(asyncio.run(run()), ["satisfied", "unsatisfied", "satisfied"])

    def test_a_cancelled_task_leaves_nothing_behind_even_while_its_exception_is_held(self):
        async def run(source):
            async def follow():
                async for _ in pathmonitor.watch_async(source=source, socket=self.socket):
                    followed.set()

            followed = asyncio.Event()
            task = asyncio.ensure_future(follow())
            await followed.wait()
            await asyncio.sleep(0.05)
            task.cancel()
            await task

        for source in ["service", "direct"]:
            before = descriptors(), children()
            held = []
            try:
                asyncio.run(run(source))
            except asyncio.CancelledError as error:
                held.append(error)
            self.assertEqual((descriptors(), children(), len(held)), (*before, 1))

    def test_control_c_ends_a_wait_and_a_watch_at_once(self):
        for call in ["pathmonitor.wait('wifi')", "list(pathmonitor.watch())", "pathmonitor.wait('wifi', source='direct')",
                     "list(pathmonitor.watch(source='direct'))",
                     "pathmonitor.required('ethernet').__enter__(), time.sleep(60)"]:  # fmt: skip
            # Python takes no notice of Ctrl-C where its parent ignores it, as shells let commands in the background do.
            program = self.run_program(
                "import pathmonitor, signal, time\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n"
                f"print(pathmonitor.current().status, flush=True)\n{call}",
                start_new_session=True,
            )
            self.assertEqual(program.stdout.readline(), b"satisfied\n")
            time.sleep(0.5)
            program.send_signal(signal.SIGINT)
            _, errors = self.within(0, 5, program.communicate)
            with self.subTest(call=call):
                self.assertEqual(program.returncode, -signal.SIGINT)
                self.assertIn(b"KeyboardInterrupt", errors)
                self.assertRaises(ProcessLookupError, os.killpg, program.pid, 0)

    def test_10_000_calls_and_1_000_watches_leave_nothing_behind(self):
        def calls(number):
            for _ in range(number):
                pathmonitor.current(**self.options)
            for _ in range(number // 10):
                watch = pathmonitor.watch(**self.options)
                next(watch)
                watch.close()

        calls(500)
        gc.collect()
        before = descriptors(), threading.active_count(), resident_bytes()
        calls(10_000)
        gc.collect()
        after = descriptors(), threading.active_count(), resident_bytes()
        self.assertEqual(after[:2], before[:2])
        self.assertLess(after[2] - before[2], 2 << 20)


class TheKernel(Served):
    """Without the service."""

    def setUp(self):
        super().setUp()
        self.service.end()

    def test_auto_asks_the_kernel_and_says_so(self):
        with self.assertLogs("pathmonitor", "WARNING") as logs:
            self.assertEqual(pathmonitor.current(socket=self.socket).source, "direct")
            watch = self.watch(source="auto")
            self.assertEqual(next(watch).source, "direct")
            self.assertTrue(pathmonitor.check("ethernet", socket=self.socket))
            self.assertEqual(pathmonitor.wait("ethernet", 5, socket=self.socket).source, "direct")
        self.assertEqual(len(logs.output), 4)
        self.assertIn(f"the service does not answer at {self.socket}: ", logs.output[0])
        lose_route()
        self.assertEqual(next(watch).status, "unsatisfied")
        watch.close()

    def test_auto_without_pathctl_is_one_clear_error(self):
        path, os.environ["PATH"] = os.environ["PATH"], "/usr/sbin:/usr/bin"
        self.addCleanup(os.environ.__setitem__, "PATH", path)
        for call in [pathmonitor.current, pathmonitor.wait, lambda **options: next(pathmonitor.watch(**options))]:
            with self.assertRaises(pathmonitor.SourceUnavailable) as raised:
                call(socket=self.socket)
            advice = "Install pathmonitor, or start the service: systemctl start"
            self.assertRegex(str(raised.exception), f"no pathctl to ask the kernel. {advice}")
        with self.assertRaisesRegex(pathmonitor.SourceUnavailable, "not installed. Install pathmonitor."):
            pathmonitor.current(source="direct")

    def test_a_pathctl_that_ends_makes_the_path_stale_and_is_started_again(self):
        watch = self.watch(source="direct")
        next(watch)
        source = watch.gi_frame.f_locals["follower"]._source
        source._process.send_signal(signal.SIGKILL)
        lose_route()
        path = next(watch)
        watch.close()
        self.assertEqual((path.status, path.knowledge), ("unsatisfied", "known"))

    def test_pathctl_ends_with_a_program_that_is_killed(self):
        program = self.run_program(
            "import pathmonitor\nfor path in pathmonitor.watch(source='direct'): print(path.status, flush=True)",
            start_new_session=True,
        )
        self.assertEqual(program.stdout.readline(), b"satisfied\n")
        group = program.pid
        program.kill()
        program.communicate()
        while True:
            try:
                os.killpg(group, 0)
            except ProcessLookupError:
                break
            time.sleep(0.01)

    def test_a_pathctl_that_prints_garbage_is_an_error(self):
        program = self.folder / "pathctl"
        program.write_text("#!/bin/sh\necho garbage\n")
        program.chmod(0o755)
        path, os.environ["PATH"] = os.environ["PATH"], f"{self.folder}:/usr/bin"
        self.addCleanup(os.environ.__setitem__, "PATH", path)
        for call in [pathmonitor.current, lambda **options: next(pathmonitor.watch(**options))]:
            with self.assertRaisesRegex(pathmonitor.SourceUnavailable, "has not printed a path"):
                call(source="direct")
        program.write_text("#!/bin/sh\necho 'pathctl: no netlink. Allow it.' >&2\nexit 69\n")
        with self.assertRaisesRegex(pathmonitor.SourceUnavailable, "^no netlink. Allow it.$"):
            pathmonitor.current(source="direct")
        with self.assertRaisesRegex(pathmonitor.SourceUnavailable, "^no netlink. Allow it.$"):
            next(pathmonitor.watch(source="direct"))
