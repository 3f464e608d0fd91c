"""Reading values from JSON. The bytes of a socket may be anybody's: whatever is not as declared is a ValueError."""

import json
import re
from dataclasses import MISSING, dataclass, field, fields
from typing import TYPE_CHECKING, Any, Callable, Dict, Mapping, NoReturn, Optional, Tuple, Type, TypeVar, cast, get_args

if TYPE_CHECKING:
    from ._interface import Diagnosis, Interface

T = TypeVar("T")
Reader = Callable[[Any], Any]


def as_text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError("is no text")
    value.isascii() or value.encode()  # refuses a lone surrogate, which could not be printed
    return value


def as_flag(value: Any) -> bool:
    if value is not True and value is not False:
        raise ValueError("is neither true nor false")
    return bool(value)


def as_integer(value: Any) -> int:
    if type(value) is not int or not -(2**63) <= value < 2**63:
        raise ValueError("is no whole number of 64 bits")
    return value


def array_of(read: Reader) -> Reader:
    def read_all(value: Any) -> Tuple[Any, ...]:
        if not isinstance(value, list):
            raise ValueError("is no array")
        return tuple(map(read, value))

    return read_all


def one_of(*words: str) -> Reader:
    def read(value: Any) -> str:
        if value not in words:
            raise ValueError(f"is none of {', '.join(words)}")
        return as_text(value)

    return read


def word(words: Any, unknown: str) -> Reader:
    """A reader of one of the words of a Literal. Another one, of a newer service, is read as `unknown`."""

    def read(value: Any) -> str:
        text = as_text(value)
        return text if text in get_args(words) else unknown

    return read


# The longest web address in bytes, and its signs (RFC 3986), as the service has them.
WEB_ADDRESS = re.compile(r"https?://(?![/?#:@])[A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=%]+", re.ASCII | re.IGNORECASE)
LONGEST_ADDRESS = 1_024


def as_web_address(value: Any) -> Optional[str]:
    """An address of http or https, or None: whoever listens at the socket may name any other, and programs open it."""
    text = as_text(value)
    return text if len(text) <= LONGEST_ADDRESS and WEB_ADDRESS.fullmatch(text) else None


def member(key: str, read: Reader, default: Any = MISSING, compare: bool = True) -> Any:
    """A field with its key in JSON. A key without a default must be there."""
    return field(default=default, compare=compare, metadata={"key": key, "read": read})


@dataclass(frozen=True)
class Record:
    """An object of JSON as a value. `extra` has the members that this version of the package does not know."""

    @classmethod
    def read(cls: Type[T], value: Any) -> T:
        """The value of an object. A key that is null is missing."""
        if not isinstance(value, dict):
            raise ValueError("is no object")
        extra, found = dict(value), cast(Dict[str, Any], {})
        for one in fields(cast(Any, cls)):
            key = one.metadata.get("key")
            given = extra.pop(key, None)
            if given is not None:
                try:
                    found[one.name] = one.metadata["read"](given)
                except ValueError as error:
                    raise ValueError(f"'{key}' {error}") from None
                if isinstance(found[one.name], str) and found[one.name] != given:
                    extra[key] = given
            elif key and one.default is MISSING:
                raise ValueError(f"'{key}' is missing")
        return cls(**found, **({"extra": extra} if extra else {}))


class PathBase(Record):
    """What follows from the fields of a path."""

    if TYPE_CHECKING:
        status: str
        knowledge: str
        interfaces: Tuple[Interface, ...]
        diagnosis: Optional[Diagnosis]
        unsatisfied_reason: Optional[str]

    @property
    def is_connected(self) -> bool:
        """Whether there is a usable route, or was one when the path was last known; see `is_stale`."""
        return self.status == "satisfied"

    @property
    def is_stale(self) -> bool:
        """Whether the source is lost: the path was as it says, and may be another one by now."""
        return self.knowledge == "stale"

    @property
    def interface(self) -> "Optional[Interface]":
        """The interface that carries the traffic; None without a path."""
        return self.interfaces[0] if self.is_connected and self.interfaces else None

    def __str__(self) -> str:
        """The path in words, in one line."""
        over = f" over {self.interfaces[0].name} ({self.interfaces[0].type})" if self.interfaces else ""
        words = f"connected{over}"
        if self.unsatisfied_reason == "requirementNotMet":
            words = f"not as required{over}"
        elif not self.is_connected:
            words = f"offline: {self.diagnosis.sentence if self.diagnosis else self.unsatisfied_reason}"
        words = words if self.knowledge == "known" else f"not known now; before: {words}"
        return "".join(one if one.isprintable() else f"\\x{ord(one):02x}" for one in words)


def parse(frame: bytes) -> Mapping[str, Any]:
    """The object in a frame, or ValueError. `int` takes time by the square of the digits, so it gets few of them."""

    def number(digits: str) -> int:
        return int(digits) if len(digits) < 21 else refuse("such a number")

    def refuse(name: str) -> NoReturn:
        raise ValueError(f"{name} is not allowed")

    try:
        found = json.loads(frame.decode(), parse_int=number, parse_constant=refuse)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    if not isinstance(found, dict):
        raise ValueError("it is no object")
    members: Dict[str, Any] = found
    return members
