"""An exception that another thread has raised in this one, between two of its steps."""

import ctypes
import dis
import os
import sys
import threading
from types import CodeType
from typing import Any, Optional, Tuple, Type

PACKAGE = os.path.dirname(__file__) + os.sep


class ThreadInterruption:
    """An exception for the thread that makes this.

    CPython 3.13 loses its place when `PyThreadState_SetAsyncExc` interrupts the jump at the end of a `while` loop: the
    exception passes the `with` and the `try` around the loop (cpython issue 130279). So from 3.13 on,
    `sys.monitoring` raises it, at events that keep the place, as those of jumps do not: lines, the begin of functions,
    and the end of those in C. The end of a `with` inside of the body has an event with its first line, at which an
    exception would take the place of its `__exit__`, so such lines are left out.
    """

    def __init__(self, kind: Type[BaseException]) -> None:
        self._kind, self._thread, self._tool, self._is_set = kind, threading.get_ident(), -1, False

    def begin(self) -> None:
        """Has the exception raised. It is called in another thread."""
        if sys.version_info < (3, 13) or not self._monitor():
            self._is_set = True
            self._set(self._kind)

    def end(self) -> None:
        """Takes the exception back if it was not raised yet. It is called in the thread itself."""
        if self._is_set:
            self._set(None)
        self._stop()

    def _set(self, kind: Optional[Type[BaseException]]) -> None:
        error = ctypes.py_object() if kind is None else ctypes.py_object(kind)
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self._thread), error)

    def _monitor(self) -> bool:
        """Has the exception raised at the next event; False if all tools of the interpreter are taken."""
        monitoring: Any = getattr(sys, "monitoring")
        for tool in (4, 3, 5, 2, 1, 0):
            try:
                monitoring.use_tool_id(tool, "pathmonitor")
            except ValueError:
                continue
            self._tool = tool
            for event in self._events(monitoring):
                monitoring.register_callback(tool, event, self._raise)
            monitoring.register_callback(tool, monitoring.events.LINE, self._raise_at_line)
            # C_RETURN comes only with the last two, which have no callback.
            others = monitoring.events.LINE | monitoring.events.CALL | monitoring.events.C_RAISE
            monitoring.set_events(tool, sum(self._events(monitoring)) | others)
            return True
        return False

    @staticmethod
    def _events(monitoring: Any) -> Tuple[int, ...]:
        events = monitoring.events
        return events.PY_START, events.PY_RESUME, events.C_RETURN

    def _raise_at_line(self, code: CodeType, line: int) -> None:
        if threading.get_ident() == self._thread:
            withs = {"BEFORE_WITH", "BEFORE_ASYNC_WITH", "LOAD_SPECIAL"}
            positions = [getattr(one, "positions") for one in dis.get_instructions(code) if one.opname in withs]
            if line not in [one.lineno for one in positions if one]:
                self._raise(code)

    def _raise(self, code: CodeType, *_: object) -> None:
        # The end of the body is in this package, and must not be interrupted itself.
        if threading.get_ident() == self._thread and not code.co_filename.startswith(PACKAGE):
            self._stop()
            raise self._kind

    def _stop(self) -> None:
        tool, self._tool = self._tool, -1
        if tool >= 0:
            monitoring: Any = getattr(sys, "monitoring")
            monitoring.set_events(tool, 0)
            for event in (monitoring.events.LINE, *self._events(monitoring)):
                monitoring.register_callback(tool, event, None)
            monitoring.free_tool_id(tool)
