"""Programs that write a line per change, read through a pipe by `baselines/reader.c`, and what their lines say."""

import re
import time
from dataclasses import dataclass
from typing import Callable, Optional

import machine
from namespaces import Failure

GONE, PRESENT = "-", "+"


def path_state(line):
    """The state a line of `pathctl watch --json` tells."""
    match = re.search(r'"status"\s*:\s*"(\w+)"', line)
    return {"satisfied": PRESENT, "unsatisfied": GONE}.get(match[1]) if match else None


def monitor_state(line):
    """The state a line of `ip monitor` tells about the default route."""
    if line.startswith("default "):
        return PRESENT
    return GONE if line.startswith("Deleted default ") else None


def listener_state(line):
    return {"+default": PRESENT, "-default": GONE}.get(line)


@dataclass(frozen=True)
class Contender:
    """A program that watches. `keep`: of a talkative one, only lines with this word are recorded (all are counted).
    `kind`: the changes that it watches when alone, unless they are those of the row."""

    name: str
    arguments: tuple
    state: Callable[[str], Optional[str]]
    speaks_at_start: bool = True
    keep: Optional[str] = None
    kind: Optional[str] = None


def pathctl_contender(pathctl, name="pathctl", kind=None):
    return Contender(name, (pathctl, "watch", "--json", "--direct", "--settle", "0"), path_state, kind=kind)


def contenders(pathctl, programs):
    """The product first, then what it is compared with."""
    return [
        pathctl_contender(pathctl),
        Contender("ip monitor", ("ip", "monitor", "link", "address", "route"), monitor_state, False, "default"),
        Contender("listener", (programs["listener"],), listener_state),
    ]


class Watcher:
    """A contender at work in a pair's near namespace."""

    def __init__(self, pair, contender, keep_all=False):
        self.contender, self._pair = contender, pair
        laboratory = pair.laboratory
        self._log = laboratory.folder / f"log-{time.monotonic_ns()}"
        keep = ["-k", contender.keep] if contender.keep and not keep_all else []
        self._errors = self._log.with_suffix(".errors")
        with open(self._errors, "w") as errors:
            self._process = pair.spawn(
                laboratory.programs["reader"], *keep, self._log, *contender.arguments, stderr=errors
            )
        self.pid = self._wait_for("pid", 5)
        if contender.speaks_at_start:
            self._wait_for("line", 120)
        self._wait_until_listening()

    def _wait_for(self, kind, seconds):
        """The first number of the first record of a kind."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            for record in self._log.read_text().splitlines() if self._log.exists() else ():
                if record.startswith(kind + " "):
                    return int(record.split()[1])
            self._check()
            time.sleep(0.01)
        raise self._failure(f"wrote no line within {seconds} s of its start")

    def _check(self):
        if self._process.poll() is not None:
            raise self._failure("ended by itself")

    def _failure(self, text):
        errors = self._errors.read_text(errors="replace").strip()[-300:]
        return Failure(f"{self.contender.name} {text}" + (f". Its last words: {errors}" if errors else ""))

    def _wait_until_listening(self):
        for _ in range(500):
            self._check()
            if machine.listens_to_netlink(self.pid):
                return
            time.sleep(0.01)
        raise self._failure("does not listen to netlink")

    def wait_until_idle(self, longest=60.0):
        """Waits until the watcher has used no processor for half a second: it has read all there is."""
        end, before, calm = time.monotonic() + longest, -1, 0
        while calm < 5 and time.monotonic() < end:
            self._check()
            now = machine.processor_nanoseconds(self.pid)
            calm, before = (calm + 1 if now == before else 0), now
            time.sleep(0.1)

    def stop(self):
        """Ends the watcher and returns what it said."""
        self._check()
        self._pair.end(self._process)
        recording = Recording(self._log.read_text(errors="replace"))
        self._log.unlink()
        return recording


class Recording:
    def __init__(self, text):
        self.lines, self.count, self.exec_time = [], 0, None
        for record in text.splitlines():
            kind, _, rest = record.partition(" ")
            if kind == "line":
                arrival, _, line = rest.partition(" ")
                self.lines.append((int(arrival), line))
            elif kind == "lines":
                self.count = int(rest)
            elif kind == "exec":
                self.exec_time = int(rest)


@dataclass(frozen=True)
class Operation:
    """Something taken away or given back, at CLOCK_MONOTONIC nanoseconds."""

    sent: int
    state: str


def latencies(operations, lines, tells, last_window=2_000_000_000):
    """Microseconds from each operation to the first line after it, and before the next, that `tells` accepts.

    `None` for an operation nothing was said about. `tells(line, operation)` decides.
    """
    result, position = [], 0
    for index, operation in enumerate(operations):
        following = operations[index + 1].sent if index + 1 < len(operations) else operation.sent + last_window
        while position < len(lines) and lines[position][0] < operation.sent:
            position += 1
        candidate = position
        while candidate < len(lines) and lines[candidate][0] < following:
            if tells(lines[candidate][1], operation):
                break
            candidate += 1
        said = candidate < len(lines) and lines[candidate][0] < following
        result.append((lines[candidate][0] - operation.sent) / 1000 if said else None)
    return result
