"""Daemons that tell subscribers what changes, and `baselines/subscribers.c`, which notes when each was told."""

import itertools
import json
import resource
import time
from bisect import bisect_left
from dataclasses import dataclass
from typing import Callable, Optional

import machine
from namespaces import Failure
from watching import Contender, Watcher

INTERFACE = "io.pathmonitor.PathMonitor"
SPARE_DESCRIPTORS = 100  # what a daemon opens besides its connections
_numbers = itertools.count(1)


def call(method, **parameters):
    """A varlink call of the product's interface, without the NUL at its end."""
    return json.dumps({"method": f"{INTERFACE}.{method}", "parameters": parameters})


def watch_call(**parameters):
    return json.dumps({"method": f"{INTERFACE}.WatchPath", "parameters": parameters, "more": True})


AT_ONCE, SETTLED = watch_call(settleMilliseconds=0), watch_call()


@dataclass(frozen=True)
class Daemon:
    """A program that tells subscribers. `request`: what they send; the bare daemon speaks to whoever connects."""

    name: str
    command: Callable[[str], tuple]
    request: Optional[str] = None


def daemons(bench):
    """The product first, then what it is compared with."""
    return [
        Daemon("pathmonitord", lambda socket: (bench.pathmonitord, "--socket", socket), AT_ONCE),
        Daemon("C daemon", lambda socket: (bench.programs["fan"], socket)),
    ]


class Service:
    """A daemon at work in a pair's near namespace."""

    def __init__(self, pair, daemon, socket=None):
        self.daemon, self._pair = daemon, pair
        self.socket = socket or new_socket(pair.laboratory)
        self._watcher = Watcher(pair, Contender(daemon.name, daemon.command(self.socket), None, False))
        self.pid = self._watcher.pid

    def subscribe(self, count, request=None, options=(), command=None):
        """So many more subscribers, when each has been told the path. `command`: another program than subscribers."""
        _, allowed = resource.getrlimit(resource.RLIMIT_NOFILE)
        if allowed != resource.RLIM_INFINITY and allowed < count + SPARE_DESCRIPTORS:
            raise Failure(f"{count} subscribers need more descriptors than {allowed}. Raise the limit (ulimit -Hn)")
        subscribers = Subscribers(self._pair, self.socket, count, request or self.daemon.request, options, command)
        subscribers.wait_until_ready()
        self.wait_until_idle()
        return subscribers

    def wait_until_idle(self):
        self._watcher.wait_until_idle()

    def processor_nanoseconds(self):
        return machine.processor_nanoseconds(self.pid)

    def stop(self):
        """Ends the daemon; the moment before its execve."""
        return self._watcher.stop().exec_time


def new_socket(laboratory):
    return str(laboratory.folder / f"socket-{next(_numbers)}")


def serve(pair, program, *arguments):
    """Starts a bare server of `baselines/` at a socket of its own; the socket's path, when it listens."""
    socket = new_socket(pair.laboratory)
    process = pair.spawn(pair.laboratory.programs[program], socket, *arguments)
    for _ in range(200):
        if machine.listens_at(process.pid, socket):
            return socket
        if process.poll() is not None:
            break
        time.sleep(0.01)
    raise Failure(f"{program} does not listen at {socket}")


class Subscribers:
    """Programs that subscribe to one daemon, all in one process."""

    def __init__(self, pair, socket, count, request, options=(), command=None):
        self.count, self._pair = count, pair
        self._log = pair.laboratory.folder / f"subscribers-{next(_numbers)}"
        words = ["-r", request] if request else []
        usual = (pair.laboratory.programs["subscribers"], *words, *options, socket, count)
        with open(self._log, "w") as log:
            self._process = pair.spawn(*(command or usual), stdout=log, stderr=log)

    def wait_until_ready(self, seconds=120):
        end = time.monotonic() + seconds
        while f"ready {self.count}\n" not in self._log.read_text():
            self._check()
            if time.monotonic() > end:
                raise Failure(f"not all of {self.count} subscribers were told the path within {seconds} s")
            time.sleep(0.01)

    def _check(self):
        if self._process.poll() is not None:
            raise Failure(f"the subscribers have ended: {self._log.read_text(errors='replace').strip()[-300:]}")

    def stop(self):
        """Ends the subscribers; what they were told."""
        self._check()
        self._pair.end(self._process)
        told = [Told(int(arrival), int(who), state) for who, arrival, state in self._records()]
        self._log.unlink()
        return told

    def _records(self):
        for line in self._log.read_text().splitlines():
            words = line.split()
            if len(words) == 3:
                yield words
            elif words[:1] != ["ready"]:
                raise Failure(f"the subscribers said: {line}")


@dataclass(frozen=True)
class Told:
    """A frame that a subscriber was sent, at CLOCK_MONOTONIC nanoseconds."""

    arrival: int
    subscriber: int
    state: str


@dataclass(frozen=True)
class Delivery:
    """How a change reached the subscribers: the first and the last of those who were told, and how many were."""

    first: Optional[float]  # microseconds after the change
    last: Optional[float]
    reached: int


def deliveries(operations, told, last_window=10_000_000_000):
    """Per operation, who was told its state after it and before the next operation."""
    told = sorted(told, key=lambda frame: frame.arrival)
    arrivals, result = [frame.arrival for frame in told], []
    for index, operation in enumerate(operations):
        following = operations[index + 1].sent if index + 1 < len(operations) else operation.sent + last_window
        delays = {}
        for frame in told[bisect_left(arrivals, operation.sent) : bisect_left(arrivals, following)]:
            if frame.state == operation.state:
                delays.setdefault(frame.subscriber, (frame.arrival - operation.sent) / 1000)
        result.append(Delivery(min(delays.values(), default=None), max(delays.values(), default=None), len(delays)))
    return result
