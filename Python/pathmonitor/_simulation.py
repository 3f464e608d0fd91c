"""The simulated paths that the environment variable PATHMONITOR_SIMULATE describes, and requirements on them.

    simulation = path | "script:" file
    path       = word *("," word)
    word       = "online" | "offline" | "unknown" | "ethernet" | "wifi" | "cellular" | "vpn"
               | "expensive" | "constrained" | "no-dns" | "no-ipv4" | "no-ipv6"

Each line of a script is a time span since the first use and a path, such as `5s cellular,constrained`. Empty lines and
lines that begin with # are ignored. The words and the paths are those of the Swift library.
"""

import functools
import logging
import os
import re
import time
from typing import Any, Dict, Optional, Sequence, Tuple

from ._errors import InvalidRequirement, SourceUnavailable
from ._interface import NetworkPath

# The types of interfaces by their words: the type, the kernel's index and the usual name.
TYPES = {
    "ethernet": ("wiredEthernet", 2, "eth0"), "wifi": ("wifi", 3, "wlan0"), "cellular": ("cellular", 4, "wwan0"),
    "vpn": ("other", 5, "tun0"),
}  # fmt: skip
WORDS = ["online", "offline", "unknown", *TYPES, "expensive", "constrained", "no-dns", "no-ipv4", "no-ipv6"]
UNITS = {
    1e-6: ["us", "usec", "µs", "μs"], 1e-3: ["ms", "msec"], 1: ["", "s", "sec", "second", "seconds"],
    60: ["m", "min", "minute", "minutes"], 3_600: ["h", "hr", "hour", "hours"], 86_400: ["d", "day", "days"],
    604_800: ["w", "week", "weeks"],
}  # fmt: skip
SECONDS = {name: factor for factor, names in UNITS.items() for name in names}
# The longest script in bytes, and the longest span in seconds.
LONGEST_SCRIPT = 1 << 20
LONGEST_SPAN = 31_557_600


class Simulation:
    """Paths, each from a moment on. ValueError for a text that describes none."""

    def __init__(self, text: str) -> None:
        self._began, self._steps = time.monotonic(), [(0.0, path_of_words(text))] if text[:7] != "script:" else []
        if self._steps:
            return
        file = text[7:]
        try:
            with open(file, "rb") as script:
                contents = script.read(LONGEST_SCRIPT)
        except OSError as error:
            raise ValueError(f"{file} cannot be read: {error.strerror}") from None
        if len(contents) == LONGEST_SCRIPT:
            raise ValueError(f"{file} has {LONGEST_SCRIPT} bytes or more")
        for number, line in enumerate(contents.decode(errors="replace").split("\n"), 1):
            words = line.split()
            if not words or words[0].startswith("#"):
                continue
            try:
                if len(words) != 2:
                    raise ValueError("a line is a time and a path, such as '5s cellular,constrained'")
                moment = seconds(words[0])
                if self._steps and moment < self._steps[-1][0]:
                    raise ValueError(f"{words[0]} is before the line above")
                self._steps.append((moment, path_of_words(words[1])))
            except ValueError as error:
                raise ValueError(f"{file}, line {number}: {error}") from None
        if not self._steps:
            raise ValueError(f"{file}: there is no line with a path")

    def now(self) -> Tuple[NetworkPath, Optional[float]]:
        """The path now, and the moment of the next one; None if no other comes."""
        age = time.monotonic() - self._began
        past = [path for moment, path in self._steps if moment <= age]
        coming = [moment for moment, _ in self._steps if moment > age]
        return past[-1] if past else path_of_words("unknown"), self._began + coming[0] if coming else None


@functools.lru_cache(maxsize=1)
def _simulation(text: str) -> Simulation:
    try:
        simulation = Simulation(text)
    except ValueError as error:
        raise SourceUnavailable(f"PATHMONITOR_SIMULATE is not understood: {error}") from None
    logging.getLogger("pathmonitor").warning("the network path is simulated, as PATHMONITOR_SIMULATE says %r", text)
    return simulation


def current_simulation() -> Optional[Simulation]:
    """The simulation that the environment asks for; SourceUnavailable if it is not understood: no path is known then."""
    text = os.environ.get("PATHMONITOR_SIMULATE")
    return _simulation(text) if text else None


def seconds(text: str) -> float:
    """A time span, such as 1min30s."""
    parts = re.findall(r"([0-9.]+)([^\W\d_]*)", text)
    if not parts or "".join(number + unit for number, unit in parts) != text:
        raise ValueError(f"{text!r} is not a time span")
    for number, unit in parts:
        if unit not in SECONDS or not re.fullmatch(r"\d+(\.\d+)?|\.\d+", number, re.ASCII):
            raise ValueError(f"{text!r} is not a time span: {number + unit!r} is no number with us, ms, s, min, h, d or w")
    total: float = sum(float(number) * SECONDS[unit] for number, unit in parts)
    if total > LONGEST_SPAN:
        raise ValueError(f"{text!r} is longer than a year")
    return total


def path_of_words(text: str) -> NetworkPath:
    words = text.split(",")
    for one in words:
        if one not in WORDS:
            raise ValueError(f"{one!r} is not known; allowed: {', '.join(WORDS)}, script:FILE")
    for one in ("offline", "unknown"):
        if one in words and len(set(words)) > 1:
            raise ValueError(f"'{one}' stands alone")
    types = [one for one in TYPES if one in words]
    if len(types) > 1:
        raise ValueError("one interface carries the traffic, not several")
    found: Dict[str, Any] = {"status": "unsatisfied", "knowledge": "known", "unsatisfiedReason": "noRoute"}
    if "unknown" in words:
        found = {"status": "requiresConnection", "knowledge": "unknown"}
    elif "offline" not in words:
        kind, index, name = TYPES[types[0] if types else "ethernet"]
        costs = {"isExpensive": "expensive" in words or kind == "cellular", "isConstrained": "constrained" in words}
        addresses = [f"192.0.2.{index}", f"2001:db8::{index}"]
        interface = {
            "name": name, "index": index, "type": kind, "addresses": [addresses[0] + "/24", addresses[1] + "/64"], **costs
        }  # fmt: skip
        found = {
            "status": "satisfied", "knowledge": "known", "interfaces": [interface], "interfaceType": kind,
            "usesTunnel": kind == "other", **costs, "cost": {**costs, "confidence": "likely"},
            "supportsIPv4": "no-ipv4" not in words, "supportsIPv6": "no-ipv6" not in words,
            "supportsDNS": "no-dns" not in words, "sourceAddresses": addresses, "gateways": ["192.0.2.1"],
        }  # fmt: skip
    found["overrides"] = [] if "unknown" in words else ["simulated"]
    return NetworkPath.read(found)


# A verdict: None if it cannot be known.
Verdict = Optional[bool]
SYNONYMS = {
    "online": "connected", "metered": "not-unmetered", "constrained": "not-unconstrained", "wired": "ethernet",
    "lan": "ethernet", "tunnel": "vpn",
}  # fmt: skip
MEDIA = {"ethernet": "wiredEthernet", "wired": "wiredEthernet"}


def both(verdicts: Sequence[Verdict]) -> Verdict:
    return False if False in verdicts else None if None in verdicts else True


def opposite(verdict: Verdict) -> Verdict:
    return None if verdict is None else not verdict


class Requirement:
    """The judgement of a requirement on a simulated path, which has one interface and no validation."""

    def __init__(self, text: str, path: NetworkPath) -> None:
        self._text, self._rest, self._path, self._is_connected = text, text, path, path.is_connected
        self._terms = 0

    def verdict(self) -> Verdict:
        if len(self._text.encode(errors="replace")) > 1_024:
            raise self._mistake("it is longer than 1024 bytes")
        verdict = self._list(0)
        if self._rest:
            raise self._mistake("a comma or a bar is missing")
        return None if self._path.knowledge != "known" else verdict

    def _list(self, depth: int) -> Verdict:
        # A `via=` is about the path of the terms beside it, so it is judged as a term: there is one interface.
        verdicts, separator = [self._item(depth)], self._rest[:1]
        while separator in (",", "|") and self._rest[:1] in (",", "|"):
            if self._rest[0] != separator:
                raise self._mistake("a comma and a bar stand side by side")
            self._rest = self._rest[1:]
            verdicts.append(self._item(depth))
        return opposite(both([opposite(one) for one in verdicts])) if separator == "|" else both(verdicts)

    def _item(self, depth: int) -> Verdict:
        self._terms += 1
        if self._terms > 32:
            raise self._mistake("it has more than 32 terms")
        for negation in ("not-(", "!(", "("):
            if self._rest.startswith(negation):
                if depth == 8:
                    raise self._mistake("its parentheses are nested more than 8 deep")
                self._rest = self._rest[len(negation) :]
                inside = self._rest
                verdict = self._list(depth + 1)
                inside = inside[: len(inside) - len(self._rest)].strip("()")
                if not self._rest.startswith(")"):
                    raise self._mistake("a parenthesis is not closed")
                self._rest = self._rest[1:]
                if negation == "(":
                    return verdict
                # Only this opposite holds without a path.
                return self._word("offline") if inside in ("connected", "online") else self._negated(verdict)
        match = re.match(r"[^,|)]*" if depth else r"[^,|]*", self._rest)
        piece = match.group() if match else ""
        verdict = self._term(piece)
        self._rest = self._rest[len(piece) :]
        return verdict

    def _negated(self, verdict: Verdict) -> Verdict:
        return opposite(verdict) if self._is_connected else False

    def _term(self, piece: str) -> Verdict:
        for negation in ("not-", "!"):
            if piece.startswith(negation):
                word = SYNONYMS.get(piece[len(negation) :], piece[len(negation) :])
                if word in ("connected", "offline"):
                    return self._word("offline" if word == "connected" else "connected")
                return self._negated(self._term(word))
        key, equals, value = piece.partition("=")
        if equals:
            return self._keyed(key, value)
        word = SYNONYMS.get(piece, piece)
        return self._term(word) if word.startswith("not-") else self._word(word)

    def _keyed(self, key: str, value: str) -> Verdict:
        if key not in ("interface", "type", "via") or not value or any(one.isspace() for one in value):
            raise self._mistake("it has no such term; allowed here are interface=, type= and via= with a value")
        carrier = self._path.interface
        is_of_type = carrier is not None and carrier.type == MEDIA.get(value, value)
        is_of_name = carrier is not None and carrier.name == value
        return {"interface": is_of_name, "type": is_of_type, "via": is_of_name or is_of_type}[key]

    def _word(self, word: str) -> Verdict:
        path = self._path
        verdicts: Dict[str, Verdict] = {
            "connected": True, "unmetered": not path.is_expensive, "unmetered-known": not path.is_expensive,
            "unconstrained": not path.is_constrained, "wifi": path.interface_type == "wifi",
            "cellular": path.interface_type == "cellular", "ethernet": path.interface_type == "wiredEthernet",
            "vpn": path.uses_tunnel, "ipv4": path.supports_ipv4, "ipv6": path.supports_ipv6,
            "dns": path.supports_dns, "validated": None, "portal": False,
        }  # fmt: skip
        if word == "offline":
            return not self._is_connected
        if word not in verdicts:
            raise self._mistake(f"{word!r} is not known", [*verdicts, "offline", *SYNONYMS])
        return verdicts[word] if self._is_connected else False

    def _mistake(self, reason: str, allowed: Sequence[str] = ()) -> InvalidRequirement:
        place = len(self._text.encode(errors="replace")) - len(self._rest.encode(errors="replace"))
        message = f"the requirement '{self._text}' is not understood at byte {place}: {reason}"
        return InvalidRequirement(message, f"Allowed there: {', '.join(allowed)}." if allowed else None)
