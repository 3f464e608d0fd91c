"""What asking the kernel costs anybody who does, without looking at the answers: `asking`, `service-asking`.

No program that asks as the product does can be quicker: the rest of `route` and `service-fan-1` is the product's own.
"""

from changes import ROUNDS
from report import Row, duration, ratio, summary, times
from rows.latency import watch_alone
from rows.service_changes import crowds, delays, measure
from services import Daemon
from watching import Contender, listener_state, monitor_state


def asking(bench):
    """The `route` row without the product."""
    changes, listener = bench.many(300, 60), bench.programs["listener"]
    contenders = [
        Contender("asking", (listener, "asking"), listener_state),
        Contender("ip monitor", ("ip", "monitor", "link", "address", "route"), monitor_state, False, "default"),
        Contender("listener", (listener,), listener_state),
    ]
    others, numbers = watch_alone(bench, contenders, "route", changes)
    asker, monitor, bare = (numbers[name] for name in ("asking", "ip monitor", "listener"))
    return [
        Row(
            "asking",
            f"default route deleted or added → a C listener that asks as pathctl does has said so, {ROUNDS * changes} changes",
            f"p50 {duration(asker['p50'])}, p99 {duration(asker['p99'])}",
            f"ip monitor p50 {duration(monitor['p50'])}; bare listener p50 {duration(bare['p50'])}",
            f"{times(ratio(asker['p50'], monitor['p50']))} ip monitor",
            "none: a floor",
            None,
            others,
            data={"changes": ROUNDS * changes, **numbers},
        )
    ]


def service_asking(bench):
    """The `service-fan-1` row without the product."""
    changes, fan = bench.many(300, 60), bench.programs["fan"]
    daemons = [
        Daemon("asking", lambda socket: (fan, socket, "asking")),
        Daemon("C daemon", lambda socket: (fan, socket)),
    ]
    others, outcomes = measure(bench, crowds(daemons, 1), changes)
    numbers = {name: delays(outcome, 1) for name, outcome in outcomes.items()}
    spent = {name: outcome.processor_microseconds for name, outcome in outcomes.items()}
    return [
        Row(
            "service-asking",
            f"the same → a subscriber of a C daemon that asks as pathmonitord does has it, {ROUNDS * changes} changes",
            f"p50 {duration(numbers['asking']['p50'])}, {duration(spent['asking'])} CPU per change",
            f"C daemon p50 {duration(numbers['C daemon']['p50'])}, {duration(spent['C daemon'])} CPU per change",
            f"{times(ratio(numbers['asking']['p50'], numbers['C daemon']['p50']))}; "
            f"CPU {times(ratio(spent['asking'], spent['C daemon']))}",
            "none: a floor",
            None,
            others,
            data={"microseconds": numbers, "processorMicrosecondsPerChange": spent},
        )
    ]
