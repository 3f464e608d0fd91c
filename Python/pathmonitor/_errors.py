"""The exceptions, and the words for errors that the service replies."""

from typing import Any, Mapping, Optional

from ._interface import NetworkPath


class PathMonitorError(Exception):
    """The base of all exceptions of this package. As a text it is the message, and the advice after it.

    message: The failed action and the reason, without a full stop.
    advice: The next step, as a sentence; None when there is none.
    path: The path that was seen last; None where none was.
    """

    def __init__(self, message: str, advice: Optional[str] = None, path: Optional[NetworkPath] = None) -> None:
        super().__init__(message)
        self.message, self.advice, self.path = message, advice, path

    def __str__(self) -> str:
        return f"{self.message}. {self.advice}" if self.advice else self.message


class SourceUnavailable(PathMonitorError):
    """Neither the service nor the kernel could be asked. This is never the same as offline."""


class RequestDeclined(PathMonitorError):
    """The service has answered with an error, such as a limit that is reached."""


class InvalidRequirement(RequestDeclined, ValueError):
    """The text is no requirement. The message has the place of the mistake, the advice the words allowed there."""


class VerdictUnknown(PathMonitorError):
    """It cannot be known whether the path is as required: whether it is metered, or whether the Internet answers."""


class WaitTimeout(PathMonitorError, TimeoutError):
    """The path has not become as required in time."""


class RequirementLost(PathMonitorError):
    """The path is no longer as required."""

    def __init__(self, message: str = "the path is no longer as required") -> None:
        super().__init__(message)


def declined(name: str, parameters: Mapping[str, Any]) -> PathMonitorError:
    """The exception for an error that the service replies."""
    kind, standard = name.rpartition(".")[2], name.startswith("org.varlink.service.")
    said = ", ".join(f"{key} = {value}" for key, value in parameters.items() if isinstance(value, (str, int)))
    if kind == "InvalidRequirement":
        text, position, allowed = (parameters.get(key) for key in ("text", "position", "allowed"))
        words = ", ".join(map(str, allowed)) if isinstance(allowed, list) else ""
        message = f"the service does not understand the requirement '{text}' at byte {position}"
        return InvalidRequirement(message, f"Allowed there: {words}." if words else None)
    if kind == "TimedOut":
        return WaitTimeout("the path is not as required in time", None, NetworkPath.read(parameters.get("path")))
    if kind == "LimitReached":
        return RequestDeclined(f"the service has reached a limit: {said}", "Try again later.")
    if standard and kind in ("MethodNotFound", "InterfaceNotFound"):
        return RequestDeclined(f"the service is older than this package: {said}", "Upgrade and restart pathmonitord.")
    return RequestDeclined(f"the service answers with the error {name}" + (f": {said}" if said else ""))
