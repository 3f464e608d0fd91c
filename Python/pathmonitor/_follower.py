"""The questions to the sources, as flows: one answer, or the path and its changes."""

import dataclasses
import logging
import math
import os
import shutil
import time
from typing import Dict, Iterator, Optional, Tuple, Union

from ._errors import InvalidRequirement, PathMonitorError, RequestDeclined, SourceUnavailable, VerdictUnknown, WaitTimeout
from ._interface import NetworkPath, PathSource
from ._simulation import Requirement, current_simulation
from ._sources import ANSWER_LIMIT, Child, ChildEnded, Connection, Flow, Members, Source, Waiting

Answer = Tuple[int, str, Optional[NetworkPath]]

# The socket of the service, unless the environment has PATHMONITOR_SOCKET.
SOCKET = "/run/pathmonitor/io.pathmonitor.PathMonitor"
# The time without the service after which its last path is stale; in seconds.
LOSS_DELAY = 2.0
# The longest time that the service accepts, a year; in seconds.
LONGEST_WAIT = 31_557_600.0


def pauses() -> Iterator[float]:
    """The pauses between attempts to connect, in seconds, as those of pathctl."""
    pause = 0.05
    while True:
        yield pause
        pause = min(2 * pause, 10.0)


def path_of(found: Members, source: PathSource = "service") -> NetworkPath:
    try:
        path = NetworkPath.read(found.get("path") if source == "service" else found)
        return dataclasses.replace(path, source=source)
    except ValueError as error:
        raise SourceUnavailable(f"the answer of the service is not understood: {error}", "Upgrade both.") from None


class Origin:
    """The source that a caller has chosen: the service, the kernel, or the first of them that answers."""

    def __init__(self, source: str, socket: Optional[str]) -> None:
        if source not in ("auto", "service", "direct"):
            raise ValueError(f"source is '{source}', and must be 'auto', 'service' or 'direct'")
        self.socket = socket or os.environ.get("PATHMONITOR_SOCKET") or SOCKET
        self.is_direct, self._may_change = source == "direct", source == "auto"
        # As in every library, simulated paths take the place of all sources.
        self.simulation = current_simulation()

    def turn_to_kernel(self, error: SourceUnavailable) -> None:
        """Asks the kernel from now on, because the service has failed; raises the error where that is not allowed."""
        if self._may_change and not shutil.which("pathctl"):
            error = SourceUnavailable(f"{error.message}, and there is no pathctl to ask the kernel", error.advice)
            self._may_change = False
        if not self._may_change:
            raise error from None
        self.is_direct, self._may_change = True, False
        logging.getLogger("pathmonitor").warning("%s; asking the kernel by pathctl instead", error.message)

    def child(self, verb: str, *arguments: str) -> Child:
        return Child(verb, "--direct", "--socket", self.socket, *arguments)

    def call(self, method: str, parameters: Members, until: Optional[float] = None) -> Flow[NetworkPath]:
        """The path in the reply of the service to one call."""
        connection = Connection(self.socket, method, parameters)
        try:
            while True:
                reply = connection.next(until)
                if reply is not None:
                    return path_of(reply)
                yield connection.waiting(until)
        finally:
            connection.close()

    def ask_kernel(self, verb: str, *arguments: str) -> Flow[Answer]:
        """The exit status of pathctl, its message, and the path that it has printed."""
        child, path = self.child(verb, *arguments), None
        try:
            while True:
                found = child.next()
                path = path if found is None else path_of(found, "direct")
                if found is None:
                    yield child.waiting()
        except ChildEnded as end:
            return end.status, end.message, path
        finally:
            child.close()

    def path_of_kernel(self, verb: str, *arguments: str) -> Flow[NetworkPath]:
        """The path that pathctl prints; an exception where it says that there is none in time, or that none is known."""
        status, message, path = yield from self.ask_kernel(verb, "--json", *arguments)
        if path is not None and status in (0, 1):
            return path
        kinds = {64: InvalidRequirement, 124: WaitTimeout}
        raise kinds.get(status, SourceUnavailable)(message, None, path)


    def simulated(self) -> Tuple[NetworkPath, Optional[float]]:
        """The simulated path, and the moment of the next one."""
        assert self.simulation
        path, until = self.simulation.now()
        return dataclasses.replace(path, source="simulation"), until


def current(origin: Origin) -> Flow[NetworkPath]:
    if origin.simulation:
        return origin.simulated()[0]
    if not origin.is_direct:
        try:
            return (yield from origin.call("GetPath", {}))
        except SourceUnavailable as error:
            origin.turn_to_kernel(error)
    return (yield from origin.path_of_kernel("status"))


def check(origin: Origin, requirement: str) -> Flow[bool]:
    last: Optional[NetworkPath] = None
    if origin.simulation:
        last, _ = origin.simulated()
        verdict = Requirement(requirement, last).verdict()
        if verdict is None:
            raise unknown(requirement, last)
        return verdict
    try:
        # Neither met nor not met is unknown, unless the path has changed between both questions.
        for text in (requirement, f"not-({requirement})", requirement) if not origin.is_direct else ():
            try:
                yield from origin.call("WaitForPath", {"requirement": text, "timeoutMilliseconds": 0})
                return text is requirement
            except WaitTimeout as error:
                last = error.path
                if last and last.knowledge == "known" and last.unsatisfied_reason not in (None, "requirementNotMet"):
                    return False
            except InvalidRequirement:
                if text is requirement:
                    raise
                # The requirement is at a limit of the grammar, and its opposite cannot be asked about.
                raise unknown(requirement, last) from None
    except SourceUnavailable as error:
        origin.turn_to_kernel(error)
    if not origin.is_direct:
        raise unknown(requirement, last)
    status, message, path = yield from origin.ask_kernel("check", "--json", "--", requirement)
    if status in (0, 1):
        return status == 0
    raise (InvalidRequirement if status == 64 else VerdictUnknown)(message, None, path)


def unknown(requirement: str, path: Optional[NetworkPath]) -> VerdictUnknown:
    return VerdictUnknown(f"it cannot be known whether the path is '{requirement}'", None, path)


def loss(origin: Origin, requirement: str, first: NetworkPath, follower: "Follower") -> Flow[NetworkPath]:
    """The first known path that is not as required.

    The service has applied the requirement to its path, but for the word offline, so another status is judged. The path
    of the kernel is judged by pathctl.
    """
    while True:
        path = yield from follower.next()
        is_applied = path.source == "service"
        if path.knowledge != "known" or is_applied and path.status == first.status:
            continue
        try:
            is_met = yield from check(origin, requirement)
        except PathMonitorError:
            is_met = not is_applied
        if not is_met:
            return path


def wait(origin: Origin, requirement: str, timeout: Optional[float]) -> Flow[NetworkPath]:
    last, pausing = None, pauses()
    limit = None if timeout is None or timeout > LONGEST_WAIT else time.monotonic() + max(0.0, timeout)
    while origin.simulation:
        path, until = origin.simulated()
        if Requirement(requirement, path).verdict():
            return path
        if limit is not None and time.monotonic() >= limit:
            raise WaitTimeout(f"the path has not become '{requirement}' in time", None, path)
        yield (), until if limit is None else min(limit, math.inf if until is None else until)
    while not origin.is_direct:
        began = time.monotonic()
        try:
            # A service that hangs is noticed by a call that does not wait for the network.
            last = yield from origin.call("GetPath", {"requirement": requirement})
            parameters: Dict[str, Union[str, int]] = {"requirement": requirement}
            if limit is not None:
                parameters["timeoutMilliseconds"] = max(0, math.ceil(1_000 * (limit - time.monotonic())))
            until = math.inf if limit is None else max(limit, time.monotonic()) + ANSWER_LIMIT
            return (yield from origin.call("WaitForPath", parameters, until))
        except SourceUnavailable as error:
            if last is None:
                origin.turn_to_kernel(error)
            elif limit is not None and time.monotonic() >= limit:
                raise WaitTimeout(f"the path has not become '{requirement}' in time: {error}", None, last) from error
            elif time.monotonic() - began >= ANSWER_LIMIT:
                pausing = pauses()
            else:
                resume = time.monotonic() + next(pausing)
                yield (), resume if limit is None else min(limit, resume)
    rest = [] if limit is None else ["--timeout", f"{max(0.0, limit - time.monotonic()):.3f}"]
    return (yield from origin.path_of_kernel("wait", *rest, "--", requirement))


class Follower:
    """The path and its changes. After the first path nothing ends it: a source that is lost makes the path stale."""

    def __init__(
        self, origin: Origin, requirement: Optional[str] = None, latest: Optional[NetworkPath] = None
    ) -> None:
        self._origin, self._parameters = origin, {"requirement": requirement} if requirement else {}
        self._source: Optional[Source] = None
        self._latest = latest
        self._process_id, self._pauses, self._mark = os.getpid(), pauses(), self._socket_mark()
        self._retry_at, self._loss_at = 0.0, math.inf

    def next(self) -> Flow[NetworkPath]:
        """The next path that differs from the one before."""
        if self._process_id != os.getpid():
            self.close()
            self._process_id, self._retry_at = os.getpid(), 0.0
        while self._origin.simulation:
            simulated, until = self._origin.simulated()
            if simulated != self._latest:
                return self._different(simulated)
            yield (), until
        while True:
            try:
                path = self._received()
            except (SourceUnavailable, RequestDeclined) as error:
                self._note(error)
                continue
            if path is None and self._latest and time.monotonic() >= self._loss_at:
                path = dataclasses.replace(self._latest, knowledge="stale")
            if path is None:
                yield self._waiting()
                continue
            self._loss_at = math.inf
            if path != self._latest:
                return self._different(path)
            self._latest = path
            yield (), 0.0  # other tasks have their turn, however fast the same path comes

    def _different(self, path: NetworkPath) -> NetworkPath:
        """The path with the names of the fields that differ from the one before, which it replaces."""
        latest, self._latest = self._latest, path
        names = [one.name for one in dataclasses.fields(path) if one.compare and latest]
        changed = tuple(name for name in names if getattr(path, name) != getattr(latest, name))
        return dataclasses.replace(path, changed=changed)

    def _received(self) -> Optional[NetworkPath]:
        """A path that has come; None if there is none. It connects when the time has come, or when the socket is new."""
        if self._source is None:
            mark = self._socket_mark()
            if time.monotonic() < self._retry_at and mark == self._mark:
                return None
            self._mark = mark
            if self._origin.is_direct:
                self._source = self._origin.child("watch", "--json")
            else:
                self._source = Connection(self._origin.socket, "WatchPath", self._parameters, more=True)
        found = self._source.next()
        return None if found is None else path_of(found, "direct" if self._origin.is_direct else "service")

    def _note(self, error: PathMonitorError) -> None:
        """Closes the source that has failed, and decides when it is asked again. One that had lasted is at once."""
        has_lasted = self._source is not None and time.monotonic() - self._source.answered >= ANSWER_LIMIT
        self.close()
        if self._latest is None:
            if not isinstance(error, SourceUnavailable):
                raise error
            return self._origin.turn_to_kernel(error)
        if has_lasted:
            self._pauses = pauses()
        self._retry_at = time.monotonic() + (0.0 if has_lasted else next(self._pauses))
        if not self._latest.is_stale:
            self._loss_at = min(self._loss_at, time.monotonic() + LOSS_DELAY)

    def _waiting(self) -> Waiting:
        if self._source is not None:
            descriptors, until = self._source.waiting()
        else:
            descriptors, until = (), min(self._retry_at, time.monotonic() + 1)
        return descriptors, min(self._loss_at, math.inf if until is None else until)

    def _socket_mark(self) -> object:
        """Which file the socket is: another one ends the pause."""
        try:
            status = os.stat(self._origin.socket)
        except (OSError, ValueError):
            return None
        return status.st_dev, status.st_ino, status.st_ctime_ns

    def close(self) -> None:
        source, self._source = self._source, None
        if source is not None:
            source.close()

    __del__ = close
