"""The two sources of paths: a connection to the service, and pathctl as a child. Nothing here blocks.

A flow is a generator that yields when it has to wait: until one of some descriptors can be read, or until a moment of
`time.monotonic`. A thread or an event loop waits, so all that decides exists once.
"""

import asyncio
import errno
import json
import math
import os
import select
import shutil
import socket
import subprocess
import tempfile
import time
from typing import Any, Generator, Mapping, Optional, Sequence, Tuple, TypeVar, Union

from ._errors import PathMonitorError, SourceUnavailable, declined
from ._record import parse

T = TypeVar("T")
Members = Mapping[str, Any]
Waiting = Tuple[Sequence[int], Optional[float]]
Flow = Generator[Waiting, None, T]

# The time for an answer of the service, which never waits for the network, and for a child to end; in seconds.
ANSWER_LIMIT = 2.0
# The largest frame, in bytes. A path with a thousand interfaces has half a megabyte.
FRAME_LIMIT = 4 << 20
# The pause after which the queue of the service may have room; in seconds.
QUEUE_PAUSE = 0.02


def run(flow: Flow[T], interrupt: Optional[socket.socket] = None) -> T:
    """Runs a flow in this thread. InterruptedError ends it when `interrupt` can be read."""
    try:
        while True:
            descriptors, until = next(flow)
            poll = select.poll()
            for descriptor in [*descriptors, *([interrupt.fileno()] if interrupt else [])]:
                poll.register(descriptor, select.POLLIN)
            rest = None if until is None else math.ceil(1_000 * min(max(0.0, until - time.monotonic()), 86_400.0))
            ready = poll.poll(rest)
            if interrupt and any(descriptor == interrupt.fileno() for descriptor, _ in ready):
                raise InterruptedError
    except StopIteration as end:
        result: T = end.value
        return result
    finally:
        flow.close()


async def run_async(flow: Flow[T]) -> T:
    """Runs a flow on the event loop, where nothing is registered but while it waits."""
    loop = asyncio.get_running_loop()
    try:
        while True:
            descriptors, until = next(flow)
            ready = asyncio.Event()
            timer = None if until is None else loop.call_later(max(0.0, until - time.monotonic()), ready.set)
            try:
                for descriptor in descriptors:
                    loop.add_reader(descriptor, ready.set)
                await ready.wait()
            finally:
                for descriptor in descriptors:
                    loop.remove_reader(descriptor)
                if timer:
                    timer.cancel()
    except StopIteration as end:
        result: T = end.value
        return result
    finally:
        flow.close()


class Stream:
    """Objects of JSON with a delimiter behind each. Each byte is searched once."""

    def __init__(self, delimiter: bytes) -> None:
        self._delimiter, self._bytes, self._searched = delimiter, bytearray(), 0

    def _object(self, descriptor: int) -> Optional[Members]:
        """The next object, or None while there is none. EOFError at the end, ValueError for anything else."""
        while True:
            end = self._bytes.find(self._delimiter, self._searched)
            if max(end, self._searched) > FRAME_LIMIT:
                raise ValueError(f"it has sent more than {FRAME_LIMIT} bytes for one path")
            if end >= 0:
                frame = bytes(self._bytes[:end])
                del self._bytes[: end + 1]
                self._searched = 0
                return parse(frame)
            self._searched = len(self._bytes)
            try:
                piece = os.read(descriptor, 65_536)
            except BlockingIOError:
                return None
            if not piece:
                raise EOFError("it has ended the connection")
            self._bytes += piece


class Connection(Stream):
    """A connection to the service for one call."""

    def __init__(self, path: str, method: str, parameters: Members, more: bool = False) -> None:
        super().__init__(b"\0")
        call = {"method": f"io.pathmonitor.PathMonitor.{method}", "parameters": parameters, "more": more}
        self._path, self._call = path, json.dumps(call).encode() + b"\0"
        self._began, self.answered, self._more = time.monotonic(), math.inf, more
        try:
            self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        except OSError as error:
            raise SourceUnavailable(f"the service cannot be asked: {error.strerror}") from None
        self._socket.setblocking(False)

    def waiting(self, until: Optional[float] = None) -> Waiting:
        """The descriptors and the moment at which there is something to do."""
        if self._call:
            return (), time.monotonic() + QUEUE_PAUSE
        return (self._socket.fileno(),), until or (self._began + ANSWER_LIMIT if self.answered == math.inf else None)

    def next(self, until: Optional[float] = None) -> Optional[Members]:
        """The parameters of the next reply, or None while there is none.

        until: The moment until which the first reply may take; None for that of a service which does not wait.
        """
        try:
            reply = self._object(self._socket.fileno()) if self._is_called() else None
            if reply is not None:
                parameters = reply.get("parameters", {})
                if not isinstance(parameters, dict):
                    raise ValueError("'parameters' is no object")
                if "error" in reply:
                    raise declined(str(reply["error"]), parameters)
                if self._more and reply.get("continues") is not True:
                    raise EOFError("it does not report changes")
                self.answered = min(self.answered, time.monotonic())
                return parameters
        except PathMonitorError:
            raise
        except ValueError as error:
            reason = f"{self._path} does not speak Varlink: {error}"
            raise SourceUnavailable(reason, "Name the socket of pathmonitord.") from None
        except (OSError, EOFError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            is_absent = getattr(error, "errno", 0) in (errno.ENOENT, errno.ECONNREFUSED, errno.ENOTDIR)
            start = "Install pathmonitor, or start the service: systemctl start pathmonitord.socket."
            advice = start if is_absent else None
            raise SourceUnavailable(f"the service does not answer at {self._path}: {reason}", advice) from None
        if self.answered == math.inf and time.monotonic() >= (until or self._began + ANSWER_LIMIT):
            raise SourceUnavailable(f"the service does not answer at {self._path}", "Is pathmonitord stopped?")
        return None

    def _is_called(self) -> bool:
        """Connects and sends the call; False while the queue of the service is full."""
        if self._call:
            result = self._socket.connect_ex(self._path)
            if result == errno.EAGAIN:
                return False
            if result:
                raise OSError(result, os.strerror(result))
            self._socket.sendall(self._call)  # a new connection has room for it
            self._call = b""
        return True

    def close(self) -> None:
        """Closes the connection; in a forked process, that of the parent goes on."""
        self._socket.close()


class ChildEnded(SourceUnavailable):
    """pathctl has ended, with a message."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class Child(Stream):
    """pathctl as a child, which asks the kernel."""

    def __init__(self, *arguments: str) -> None:
        super().__init__(b"\n")
        self.answered, program = math.inf, shutil.which("pathctl")
        if not program:
            raise SourceUnavailable("pathctl, which asks the kernel, is not installed", "Install pathmonitor.")
        messages = None
        try:
            messages = tempfile.TemporaryFile()
            self._process = subprocess.Popen(
                [program, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=messages
            )
        except (OSError, ValueError) as error:
            if messages:
                messages.close()
            raise SourceUnavailable(f"{program} cannot be run: {error}") from None
        assert self._process.stdout
        self._output, self._messages = self._process.stdout, messages
        os.set_blocking(self._output.fileno(), False)

    def waiting(self, until: Optional[float] = None) -> Waiting:
        return (self._output.fileno(),), until

    def next(self, until: Optional[float] = None) -> Optional[Members]:
        """The next object that it prints; ChildEnded at its end."""
        try:
            found = self._object(self._output.fileno())
        except ValueError as error:
            raise SourceUnavailable(f"pathctl has not printed a path: {error}") from None
        except EOFError:
            status = self._process.wait(ANSWER_LIMIT)
            self._messages.seek(0)
            lines = self._messages.read(65_536).decode(errors="replace").splitlines() or [f"pathctl: status {status}"]
            raise ChildEnded(status, lines[-1].replace("pathctl: ", "", 1)) from None
        self.answered = self.answered if found is None else min(self.answered, time.monotonic())
        return found

    def close(self) -> None:
        """Ends the child. In a forked process, which is not its parent, `terminate` does nothing."""
        self._output.close()
        self._messages.close()
        self._process.terminate()
        try:
            self._process.wait(ANSWER_LIMIT)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


Source = Union[Connection, Child]
