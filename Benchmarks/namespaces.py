"""Network namespaces of the benchmark's own, and the processes in them. Both are gone when a `with` block ends.

Everything is done with `ip -n` or inside `ip netns exec` (which also shows the namespace's own /sys); nothing here
touches the namespace the benchmark was started in.
"""

import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

import machine

PREFIX = "pmbench-"
NEAR_ADDRESS, GATEWAY = "10.200.0.1", "10.200.0.2"  # as in baselines/rtnetlink.h
RUN_NETNS = Path("/run/netns")


class Failure(Exception):
    """A program of the benchmark, or the product, did not do its part."""


class Interrupted(BaseException):
    def __init__(self, number):
        super().__init__(signal.Signals(number).name)
        self.number = number


class Interrupts:
    """Turns signals into `Interrupted`, but never between starting something and writing down that it was started."""

    def __init__(self):
        self._depth, self._pending = 0, None
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._handle)

    def _handle(self, number, _frame):
        if self._depth > 0:
            self._pending = number
        else:
            raise Interrupted(number)

    def __enter__(self):
        self._depth += 1

    def __exit__(self, *_):
        self._depth -= 1
        if self._depth == 0 and self._pending is not None:
            number, self._pending = self._pending, None
            raise Interrupted(number)


def run(arguments, text=None, check=True, longest=600):
    """Runs a program to its end in the current namespace; its standard output."""
    arguments = [str(argument) for argument in arguments]
    pipe = subprocess.PIPE
    source = pipe if text else subprocess.DEVNULL
    process = subprocess.Popen(
        arguments, stdin=source, stdout=pipe, stderr=pipe, text=True, process_group=0
    )
    try:
        output, errors = process.communicate(text, longest)
    except subprocess.TimeoutExpired:
        raise Failure(f"{' '.join(arguments)} did not end within {longest} s") from None
    finally:
        kill_group(process)
    if check and process.returncode != 0:
        raise Failure(f"{' '.join(arguments)} ended with {process.returncode}: {errors.strip()[-500:]}")
    return output


def kill_group(process):
    """Kills a process that has not ended, with everything it started: each of ours leads a process group of its own."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


class Laboratory:
    """Owns all namespaces and processes of one run."""

    def __init__(self, programs, awaits_quiet=True):
        self.programs = programs  # name -> path of a built program
        self._awaits_quiet = awaits_quiet
        self.interrupts = Interrupts()
        self._namespaces, self._processes, self._count = [], [], 0
        self._folder = tempfile.TemporaryDirectory(prefix=f"{PREFIX}{os.getpid()}-")
        self.folder = Path(self._folder.name)

    def __enter__(self):
        self._delete_leftovers()
        return self

    def __exit__(self, *_):
        with self.interrupts:
            for process in reversed(self._processes):
                end(process)
            for name in list(self._namespaces):
                self.delete_namespace(name)
            self._folder.cleanup()

    def _delete_leftovers(self):
        """What a benchmark that was killed with SIGKILL could not delete. The names carry its pid."""
        for path in (*RUN_NETNS.glob(PREFIX + "*"), *Path(tempfile.gettempdir()).glob(PREFIX + "*")):
            match = re.fullmatch(PREFIX + r"(\d+)-.*", path.name)
            if not match or Path(f"/proc/{match[1]}").exists():
                continue
            if path.parent == RUN_NETNS:
                run(["ip", "netns", "delete", path.name], check=False)
            else:
                shutil.rmtree(path, ignore_errors=True)

    def others_load(self):
        """Waits for a quiet machine, unless the run is a quick one, and starts counting what others use."""
        if self._awaits_quiet:
            machine.wait_for_quiet()
        return machine.OthersLoad(self.own_pids)

    def make_namespace(self):
        self._count += 1
        name = f"{PREFIX}{os.getpid()}-{self._count}"
        with self.interrupts:
            self._namespaces.append(name)
            run(["ip", "netns", "add", name])
        run(["ip", "-n", name, "link", "set", "lo", "up"])
        return name

    def delete_namespace(self, name):
        with self.interrupts:
            end_stragglers(name)
            run(["ip", "netns", "delete", name], check=False)
            if not (RUN_NETNS / name).exists():
                self._namespaces.remove(name)

    def spawn(self, arguments, **options):
        with self.interrupts:
            process = subprocess.Popen(arguments, process_group=0, **options)
            self._processes.append(process)
        return process

    def end(self, process):
        with self.interrupts:
            end(process)
            self._processes.remove(process)

    def own_pids(self):
        """The processes that run now, with their children: what is not counted as the load of others."""
        pids = [process.pid for process in self._processes if process.returncode is None]
        for pid in list(pids):
            try:
                pids += map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split())
            except FileNotFoundError:
                pass
        return pids

    def pair(self, **options):
        return Pair(self, **options)


def end(process):
    """SIGTERM, and SIGKILL when that does not help. Our programs pass the end on to their children."""
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(15)
        except subprocess.TimeoutExpired:
            kill_group(process)


def end_stragglers(name):
    """Kills the processes left in a namespace. The helpers of a browser outlive it and still write to its folder."""
    last = time.monotonic() + 15
    while time.monotonic() < last:
        pids = run(["ip", "netns", "pids", name], check=False).split()
        if not pids:
            return
        for pid in pids:
            try:
                os.kill(int(pid), signal.SIGKILL)
            except ProcessLookupError:
                pass
        time.sleep(0.01)
    raise Failure(f"processes in {name} do not end: {' '.join(pids)}")


class Pair:
    """Two namespaces joined by a veth pair: `v0` (near, 10.200.0.1/24, default route) and `v1` (far, the gateway).

    IPv4 only: duplicate address detection and router solicitations would add events of their own. The kernel holds
    the carrier events of a link back, up to a second, where its peer has the same index; `prompt` avoids that.
    """

    def __init__(self, laboratory, prompt=False):
        self.laboratory, self._processes = laboratory, []
        self._index = "index 10" if prompt else ""

    def __enter__(self):
        self.near, self.far = self.laboratory.make_namespace(), self.laboratory.make_namespace()
        self.configure(f"""
            link add v0 {self._index} type veth peer name v1 netns {self.far}
            link set v0 addrgenmode none
            address add {NEAR_ADDRESS}/24 dev v0
            link set v0 up""")
        run(["ip", "-n", self.far, "-batch", "-"], text=f"""link set v1 addrgenmode none
            address add {GATEWAY}/24 dev v1
            link set v1 up""")
        self.wait_for_carrier()
        self.configure(f"route add default via {GATEWAY} dev v0")
        return self

    def __exit__(self, *_):
        for process in reversed(self._processes):
            self.laboratory.end(process)
        for name in (self.near, self.far):
            self.laboratory.delete_namespace(name)

    def configure(self, lines):
        """Runs lines of `ip -batch` in the near namespace."""
        run(["ip", "-n", self.near, "-batch", "-"], text=lines.strip() + "\n")

    def wait_for_carrier(self):
        for _ in range(200):
            if " state UP " in run(["ip", "-n", self.near, "link", "show", "v0"]):
                return
            time.sleep(0.02)
        raise Failure("the veth pair did not come up within 4 s")

    def run(self, *arguments, **options):
        return run(["ip", "netns", "exec", self.near, *arguments], **options)

    def spawn(self, *arguments, **options):
        process = self.laboratory.spawn(["ip", "netns", "exec", self.near, *map(str, arguments)], **options)
        self._processes.append(process)
        return process

    def end(self, process):
        self.laboratory.end(process)
        self._processes.remove(process)

    def others_load(self):
        return self.laboratory.others_load()
