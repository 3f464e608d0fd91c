"""The values of io.pathmonitor.PathMonitor. Written by scripts/generate-python-types."""

from dataclasses import dataclass, field
from typing import Any, Literal, Mapping, Optional, Tuple

from ._record import PathBase, Record, array_of, as_flag, as_integer, as_text, as_web_address
from ._record import member, one_of, word

VERSION = "1.0.0"

# A word of a newer service is read as `unknown`, or as `other` for an interface, and `extra` has it as it is.
InterfaceType = Literal["other", "wifi", "cellular", "wiredEthernet", "loopback"]
UnsatisfiedReason = Literal[
    "noInterface", "noCarrier", "dormant", "noAddress", "noRoute", "linkDownRoute", "prohibited", "sinkInterface",
    "requirementNotMet", "overridden", "unknown"
]  # fmt: skip
EvidenceSource = Literal[
    "override", "configuration", "program", "networkManager", "interfaceType", "driver", "lease", "gatewayAddress",
    "unknown"
]  # fmt: skip
EvidenceVerdict = Literal["expensive", "notExpensive", "undetermined", "constrained", "notConstrained", "unknown"]
Confidence = Literal["user", "explicit", "certain", "likely", "guess", "unknown"]
ObservationSource = Literal["router", "networkManager", "lease", "signIn", "host", "unknown"]
ValidationState = Literal["unknown", "validated", "partial", "portal", "unanswered"]
PathSource = Literal["service", "direct", "simulation"]

@dataclass(frozen=True)
class Interface(Record):
    r"""An interface that a path can use.

    name: The kernel's name of the interface.
    index: The kernel's index of the interface.
    type: The medium: other, wifi, cellular, wiredEthernet, loopback.
    is_expensive: True if its traffic is likely to cost money or to count against a quota.
    is_constrained: True if programs are asked to use little data on it.
    underlying: The interfaces that carry its packets: ports of a bridge, the interface below a tunnel.
    underlying_types: The types of these interfaces and of those below them, each once.
    mtu: The largest packet that the link carries, in bytes.
    hardware_address: The link-layer address, as hexadecimal bytes with colons between.
    addresses: The addresses that programs can use, with the lengths of their prefixes.
    driver: The kernel driver; None for virtual interfaces.
    is_expense_undetermined: True if evidence about the expense exists that could not be read, and nothing stronger
        decides.
    alternative_names: Its other names, as 'ip link property add dev NAME altname OTHER' sets them.
    network_name: The name of the wireless network that it is connected to, its SSID, or None. If that is not UTF-8,
        each byte that is not ASCII is \xNN, and so is a backslash.
    deprecated_prefixes: The IPv6 prefixes that the network has given up: no address in them is preferred any more.
    """
    name: str = member("name", as_text, "")
    index: int = member("index", as_integer, 0)
    type: InterfaceType = member("type", word(InterfaceType, "other"), "other")
    is_expensive: bool = member("isExpensive", as_flag, False)
    is_constrained: bool = member("isConstrained", as_flag, False)
    underlying: Tuple[str, ...] = member("underlying", array_of(as_text), ())
    underlying_types: Tuple[InterfaceType, ...] = member("underlyingTypes", array_of(word(InterfaceType, "other")), ())
    mtu: Optional[int] = member("mtu", as_integer, None)
    hardware_address: Optional[str] = member("hardwareAddress", as_text, None)
    addresses: Tuple[str, ...] = member("addresses", array_of(as_text), ())
    driver: Optional[str] = member("driver", as_text, None)
    is_expense_undetermined: bool = member("isExpenseUndetermined", as_flag, False)
    alternative_names: Tuple[str, ...] = member("alternativeNames", array_of(as_text), ())
    network_name: Optional[str] = member("networkName", as_text, None)
    deprecated_prefixes: Tuple[str, ...] = member("deprecatedPrefixes", array_of(as_text), ())
    extra: Mapping[str, Any] = field(default_factory=dict, compare=False)

@dataclass(frozen=True)
class Evidence(Record):
    r"""A reason to believe that an interface is metered or constrained, or that it is not.

    source: The origin: override, configuration, program, networkManager, interfaceType, driver, lease or
        gatewayAddress.
    verdict: The statement: expensive, notExpensive, undetermined, constrained or notConstrained.
    confidence: As that of the cost.
    text: The evidence in words.
    """
    source: EvidenceSource = member("source", word(EvidenceSource, "unknown"), "unknown")
    verdict: EvidenceVerdict = member("verdict", word(EvidenceVerdict, "unknown"), "unknown")
    confidence: Confidence = member("confidence", word(Confidence, "unknown"), "unknown")
    text: str = member("text", as_text, "", compare=False)
    extra: Mapping[str, Any] = field(default_factory=dict, compare=False)

@dataclass(frozen=True)
class Cost(Record):
    r"""Whether a path is metered or constrained, and why.

    is_expensive: As that of the path.
    is_constrained: As that of the path.
    confidence: The confidence of the evidence that decided: user, explicit, certain, likely, guess or unknown, see
        pathmonitor.conf(5).
    evidence: All evidence, the strongest first, as objects.
    """
    is_expensive: bool = member("isExpensive", as_flag, False)
    is_constrained: bool = member("isConstrained", as_flag, False)
    confidence: Confidence = member("confidence", word(Confidence, "unknown"), "unknown")
    evidence: Tuple[Evidence, ...] = member("evidence", array_of(Evidence.read), ())
    extra: Mapping[str, Any] = field(default_factory=dict, compare=False)

@dataclass(frozen=True)
class Diagnosis(Record):
    r"""The cause of an unsatisfied path, or the doubt about a satisfied one.

    code: The name of the cause, such as noCarrier.
    subject: The interface, router, table, policy rule or file that decides, or None.
    sentence: The cause in words, without a full stop.
    circumstances: Facts beside the cause that change the next step, such as isPair; mostly none.
    """
    code: str = member("code", as_text, "")
    subject: Optional[str] = member("subject", as_text, None)
    sentence: str = member("sentence", as_text, "", compare=False)
    circumstances: Tuple[str, ...] = member("circumstances", array_of(as_text), (), compare=False)
    extra: Mapping[str, Any] = field(default_factory=dict, compare=False)

@dataclass(frozen=True)
class Observation(Record):
    r"""Something that a router, NetworkManager, a lease or a host has shown.

    source: The origin: router, networkManager, lease, signIn or host.
    verdict: The verdict that it speaks for; unknown for none.
    family: IPv4 or IPv6; None for both.
    when: When it was made, in microseconds since boot, suspend included.
    text: The observation in words.
    """
    source: ObservationSource = member("source", word(ObservationSource, "unknown"), "unknown")
    verdict: ValidationState = member("verdict", word(ValidationState, "unknown"), "unknown")
    family: Optional[str] = member("family", as_text, None)
    when: int = member("when", as_integer, 0, compare=False)
    text: str = member("text", as_text, "", compare=False)
    extra: Mapping[str, Any] = field(default_factory=dict, compare=False)

@dataclass(frozen=True)
class Validation(Record):
    r"""Whether the Internet answers, as far as is known.

    state: The verdict: unknown, validated, partial, portal, unanswered.
    since: Since when it holds, in microseconds since boot, suspend included; None while it is unknown.
    portal: The address by which users sign in, as it was seen or announced, or None.
    announced: The address for the sign-in that the network has announced, or None.
    evidence: The observations, those that decided first, as objects.
    """
    state: ValidationState = member("state", word(ValidationState, "unknown"), "unknown")
    since: Optional[int] = member("since", as_integer, None, compare=False)
    portal: Optional[str] = member("portal", as_web_address, None)
    announced: Optional[str] = member("announced", as_web_address, None)
    evidence: Tuple[Observation, ...] = member("evidence", array_of(Observation.read), ())
    extra: Mapping[str, Any] = field(default_factory=dict, compare=False)

@dataclass(frozen=True)
class NetworkPath(PathBase):
    r"""The network path of the machine, from the service or from the kernel.

    status: satisfied: there is a usable route; unsatisfied: there is none; requiresConnection: using it may bring one
        up.
    knowledge: known: from the present answers of the kernel; stale: true until the service was lost; unknown: never
        known.
    unsatisfied_reason: Why there is no path, or None: noInterface, noCarrier, dormant, noAddress, noRoute,
        linkDownRoute, prohibited, sinkInterface, requirementNotMet, overridden.
    diagnosis: The cause of an unsatisfied path, or the doubt about a satisfied one, as an object. It is None when
        nothing is to be said. It is found without a look at routing tables and routers: explain knows more. Another
        code or subject is an update, another sentence is not.
    interfaces: The usable interfaces in order of preference, as objects. The first carries the traffic if the path is
        satisfied. Otherwise these are usable only by sockets bound to them.
    interface_type: The type of the interface that carries the traffic, or None: other, wifi, cellular, wiredEthernet,
        loopback.
    uses_tunnel: True if that interface is a tunnel, such as a VPN.
    is_expensive: True if traffic is likely to cost money or to count against a quota.
    is_constrained: True if programs are asked to use little data.
    cost: The reasons for the last two, as an object. None without a path.
    supports_ipv4: True if IPv4 destinations can be reached.
    supports_ipv6: True if IPv6 destinations can be reached.
    supports_dns: True if there is a path and a name server is configured, unless no route leads to it or, on this
        machine, no program serves it. The server is not asked.
    source_addresses: The source addresses of sockets that are not bound to one, at most one for each family, IPv4
        first; empty without a path.
    validation: Whether the Internet answers, as an object. The service sends nothing to find out, and status never
        depends on it. Its state is unknown without a path.
    gateways: The addresses of the routers of the usable interfaces.
    gateway_scopes: The interface of each gateway that is a link-local IPv6 address, and an empty text for the others;
        empty when none is.
    overrides: The overrides in force, in words.
    sequence: The number of the update, for those who follow the path. A gap may mean skipped updates. It starts anew
        with the service.
    boottime_microseconds: When the path was evaluated, in microseconds since boot, suspend included.
    changed: The fields that differ from the path before, of one watch; empty for the first.
    source: The origin: "service"; "direct" for the kernel, which pathctl has asked; or "simulation", as
        PATHMONITOR_SIMULATE asks.
    """
    status: Literal["satisfied", "unsatisfied", "requiresConnection"] = member(
        "status", one_of("satisfied", "unsatisfied", "requiresConnection")
    )
    knowledge: Literal["known", "stale", "unknown"] = member("knowledge", one_of("known", "stale", "unknown"))
    unsatisfied_reason: Optional[UnsatisfiedReason] = member(
        "unsatisfiedReason", word(UnsatisfiedReason, "unknown"), None
    )
    diagnosis: Optional[Diagnosis] = member("diagnosis", Diagnosis.read, None)
    interfaces: Tuple[Interface, ...] = member("interfaces", array_of(Interface.read), ())
    interface_type: Optional[InterfaceType] = member("interfaceType", word(InterfaceType, "other"), None)
    uses_tunnel: bool = member("usesTunnel", as_flag, False)
    is_expensive: bool = member("isExpensive", as_flag, False)
    is_constrained: bool = member("isConstrained", as_flag, False)
    cost: Optional[Cost] = member("cost", Cost.read, None)
    supports_ipv4: bool = member("supportsIPv4", as_flag, False)
    supports_ipv6: bool = member("supportsIPv6", as_flag, False)
    supports_dns: bool = member("supportsDNS", as_flag, False)
    source_addresses: Tuple[str, ...] = member("sourceAddresses", array_of(as_text), ())
    validation: Validation = member("validation", Validation.read, Validation())
    gateways: Tuple[str, ...] = member("gateways", array_of(as_text), ())
    gateway_scopes: Tuple[str, ...] = member("gatewayScopes", array_of(as_text), ())
    overrides: Tuple[str, ...] = member("overrides", array_of(as_text), ())
    sequence: int = member("sequence", as_integer, 0, compare=False)
    boottime_microseconds: int = member("boottimeMicroseconds", as_integer, 0, compare=False)
    changed: Tuple[str, ...] = member("changed", array_of(as_text), (), compare=False)
    extra: Mapping[str, Any] = field(default_factory=dict, compare=False)
    source: PathSource = field(default="service", compare=False)
