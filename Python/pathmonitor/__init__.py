"""The network path of this machine: connected or not, over what, at what cost, and each change at once.

    import pathmonitor
    for path in pathmonitor.watch():
        print(path, path.is_expensive)

The service pathmonitord answers. Connected means that the kernel has a usable route; no packet is sent. All functions
take `source`: "service"; or "direct" for the kernel, which `pathctl --direct` asks as a child; or "auto" for the
service and, if it does not answer at the start, the kernel. `path.source` says which it was, and the logger
"pathmonitor" warns when the kernel is asked. `socket` is the path of the service's socket, by default
PATHMONITOR_SOCKET of the environment or the usual one. Requirements are texts such as "unmetered" or "wifi,not-vpn";
pathctl(1) lists the words, and the service judges them. Times are in seconds. No function holds state, so all threads
can call them. PATHMONITOR_SIMULATE of the environment, such as "offline" or "wifi,expensive", has every function report
simulated paths, for tests.
"""

import asyncio
import os
import socket as sockets
import threading
from typing import AsyncIterator, Generator, Optional, cast

from . import _follower
from ._errors import InvalidRequirement, PathMonitorError, RequestDeclined, RequirementLost, SourceUnavailable
from ._errors import VerdictUnknown, WaitTimeout
from ._follower import Follower, Origin
from ._interruption import ThreadInterruption
from ._interface import VERSION as __version__
from ._interface import Cost, Diagnosis, Evidence, Interface, NetworkPath, Observation, Validation
from ._sources import run, run_async

__all__ = [
    "AsyncWatch", "Cost", "Diagnosis", "Evidence", "Interface", "InvalidRequirement", "NetworkPath", "Observation",
    "PathMonitorError", "RequestDeclined", "RequirementLost", "SourceUnavailable", "Validation", "VerdictUnknown",
    "WaitTimeout", "__version__", "check", "check_async", "current", "current_async", "required", "wait", "wait_async",
    "watch", "watch_async",
]  # fmt: skip


def current(*, source: str = "auto", socket: Optional[str] = None) -> NetworkPath:
    """The path as it is now; SourceUnavailable if it cannot be known. A service has two seconds to answer."""
    return run(_follower.current(Origin(source, socket)))


async def current_async(*, source: str = "auto", socket: Optional[str] = None) -> NetworkPath:
    """`current` for asyncio."""
    return await run_async(_follower.current(Origin(source, socket)))


def check(requirement: str, *, source: str = "auto", socket: Optional[str] = None) -> bool:
    """Whether the path is as required now.

    VerdictUnknown if that cannot be known, such as whether the Internet answers; SourceUnavailable if no source
    answers; InvalidRequirement for a text that is none.
    """
    return run(_follower.check(Origin(source, socket), requirement))


async def check_async(requirement: str, *, source: str = "auto", socket: Optional[str] = None) -> bool:
    """`check` for asyncio."""
    return await run_async(_follower.check(Origin(source, socket), requirement))


def wait(
    requirement: str = "connected", timeout: Optional[float] = None, *,
    source: str = "auto", socket: Optional[str] = None,
) -> NetworkPath:  # fmt: skip
    """Waits until the path is as required, and returns it. A service that restarts meanwhile is asked again.

    WaitTimeout, which is a TimeoutError, after `timeout` seconds, or two more if the service does not answer any more;
    0 judges the path as it is. SourceUnavailable if no source answers at the start.
    """
    return run(_follower.wait(Origin(source, socket), requirement, timeout))


async def wait_async(
    requirement: str = "connected", timeout: Optional[float] = None, *,
    source: str = "auto", socket: Optional[str] = None,
) -> NetworkPath:  # fmt: skip
    """`wait` for asyncio."""
    return await run_async(_follower.wait(Origin(source, socket), requirement, timeout))


def watch(*, source: str = "auto", socket: Optional[str] = None) -> Generator[NetworkPath, None, None]:
    """The path now and whenever it changes, for `for`.

    Changes have settled: 50 ms for a gain, 200 ms for a loss. A slow reader gets the newest path. If the service is
    lost for two seconds, the last path comes once more with knowledge "stale". The watch connects again at once if the
    session had lasted, otherwise after 50 ms, then twice as long, at most 10 s; a new socket ends the pause within a
    second. It raises only before the first path: SourceUnavailable if no source answers, RequestDeclined if the service
    has reached a limit.
    """
    follower = Follower(Origin(source, socket))
    try:
        while True:
            yield run(follower.next())
    finally:
        follower.close()


def watch_async(*, source: str = "auto", socket: Optional[str] = None) -> "AsyncWatch":
    """`watch` for `async for`. A cancelled iteration can go on, and a watch that nobody holds any more is closed."""
    return AsyncWatch(Follower(Origin(source, socket)))


class AsyncWatch(AsyncIterator[NetworkPath]):
    """The paths of `watch_async`."""

    def __init__(self, follower: Follower) -> None:
        self._follower, self._is_closed = follower, False

    async def __anext__(self) -> NetworkPath:
        if self._is_closed:
            raise StopAsyncIteration
        await asyncio.sleep(0)  # other tasks have their turn, however fast paths come
        try:
            return await run_async(self._follower.next())
        except BaseException:
            # The exception holds this frame, perhaps for long. An iteration that goes on connects anew.
            self._follower.close()
            raise

    async def aclose(self) -> None:
        """Ends the watch. It is not needed after `break`."""
        self._is_closed = True
        self._follower.close()


class required:
    """Waits until the path is as required, runs the body of `with`, and notices when the path is lost meanwhile.

    with pathmonitor.required("unmetered", timeout=30) as link:
        for photo in photos:
            if link.is_lost: break

    With `raises=True` RequirementLost is raised in the thread of the body, between two of its steps: a call that blocks
    in the system ends first. With `async with`, nothing waits in a thread, and `raises=True` cancels the body at the
    `await` where it is. A path that cannot be known for a while is not lost. A forked process does not notice a loss.
    Entering raises what `wait` raises.

    is_lost: Whether the path was not as required at some time since the body has begun.
    path: The path that was as required, then the one with which it was lost; None before the body.
    """

    def __init__(
        self, requirement: str = "connected", timeout: Optional[float] = None, *, raises: bool = False,
        source: str = "auto", socket: Optional[str] = None,
    ) -> None:  # fmt: skip
        self._requirement, self._timeout, self._raises = requirement, timeout, raises
        self._origin, self._lock, self._is_running = Origin(source, socket), threading.Lock(), False
        self.is_lost, self.path = False, cast(Optional[NetworkPath], None)

    def __enter__(self) -> "required":
        self.path = run(_follower.wait(self._origin, self._requirement, self._timeout))
        self.is_lost, self._is_running, self._process_id = False, False, os.getpid()
        self._interruption = ThreadInterruption(RequirementLost)
        self._interrupt, self._wake = sockets.socketpair()
        self._thread = threading.Thread(target=self._observe, args=(self.path,), name="pathmonitor", daemon=True)
        self._thread.start()
        try:
            # Before this, an exception would come into the start of the thread, and `__exit__` would not be called.
            with self._lock:
                self._is_running = True
            if self.is_lost and self._raises:
                raise RequirementLost()
            return self
        except RequirementLost as error:
            self.__exit__(type(error), error, None)
            raise

    def _observe(self, first: NetworkPath) -> None:
        follower = Follower(self._origin, self._requirement, first)
        try:
            path = run(_follower.loss(self._origin, self._requirement, first, follower), self._interrupt)
            with self._lock:
                self.path, self.is_lost = path, True
                if self._is_running and self._raises:
                    self._interruption.begin()
        except InterruptedError:
            pass
        finally:
            follower.close()
            self._interrupt.close()

    def __exit__(self, *raised: object) -> None:
        if self._process_id != os.getpid():
            return
        try:
            with self._lock:
                self._is_running = False
            self._interruption.end()
        finally:
            self._wake.close()
            self._thread.join()
            self._interruption.end()
            if self.is_lost and self._raises and isinstance(raised[1], RequirementLost):
                raised[1].path = self.path

    async def __aenter__(self) -> "required":
        self.path = await run_async(_follower.wait(self._origin, self._requirement, self._timeout))
        self.is_lost, self._is_running, self._is_cancelled = False, True, False
        self._body = cast("asyncio.Task[object]", asyncio.current_task())
        # Since Python 3.11, a task counts its cancellations, so that one of its owner is not taken for ours.
        self._cancellations = self._body.cancelling() if hasattr(self._body, "cancelling") else 0
        self._observer = asyncio.ensure_future(self._observe_async(self.path))
        return self

    async def _observe_async(self, first: NetworkPath) -> None:
        follower = Follower(self._origin, self._requirement, first)
        try:
            self.path = await run_async(_follower.loss(self._origin, self._requirement, first, follower))
            self.is_lost = True
            if self._is_running and self._raises:
                self._is_cancelled = self._body.cancel()
        finally:
            follower.close()

    async def __aexit__(self, *raised: object) -> None:
        self._is_running = False
        self._observer.cancel()
        await asyncio.wait([self._observer])
        if not self._observer.cancelled() and self._observer.exception():
            raise cast(BaseException, self._observer.exception())
        if not self._is_cancelled:
            return
        left = self._body.uncancel() if hasattr(self._body, "uncancel") else 0
        if left <= self._cancellations and isinstance(raised[1], asyncio.CancelledError):
            error = RequirementLost()
            error.path = self.path
            raise error from raised[1]


for _name in __all__:  # messages and help name the package, not its files
    if isinstance(globals()[_name], type):
        globals()[_name].__module__ = __name__
