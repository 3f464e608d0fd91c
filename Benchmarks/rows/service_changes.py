"""How long after a change the daemon's subscribers know it, and what that costs: `service-latency`, `service-fan-N`."""

from contextlib import ExitStack
from dataclasses import dataclass

from report import Row, at_most, duration, ratio, summary, times
from services import Service, daemons, deliveries
from watching import Operation

WARM_UP = 10
JITTER = 5_000


@dataclass(frozen=True)
class Outcome:
    deliveries: list
    processor_microseconds: float  # of the daemon, per change


def _flip(bench, namespaces, pair, count, interval, kind="route"):
    """The default routes of the namespaces are deleted and added in turn; namespace -> operations."""
    output = pair.run(bench.programs["flip"], kind, count, interval, JITTER, *namespaces)
    operations = {namespace: [] for namespace in namespaces}
    for namespace, sent, _, state in (line.split() for line in output.splitlines()):
        operations[namespace].append(Operation(int(sent), state))
    return operations


def measure(bench, daemons, subscribers, changes, interval, kind="route"):
    """All daemons at once, each in its own namespace with so many subscribers, and the namespaces are flipped in turn.

    Returns the share others used and an outcome per daemon.
    """
    with ExitStack() as stack:
        cells = {}
        for daemon in daemons:
            pair = stack.enter_context(bench.laboratory.pair())
            service = Service(pair, daemon)
            cells[pair.near] = service, service.subscribe(subscribers)
        _flip(bench, list(cells), pair, WARM_UP, interval)
        for service, _ in cells.values():
            service.wait_until_idle()
        load = pair.others_load()
        before = {namespace: service.processor_nanoseconds() for namespace, (service, _) in cells.items()}
        operations = _flip(bench, list(cells), pair, changes, interval, kind)
        others = load.share()
        outcomes = {}
        for namespace, (service, crowd) in cells.items():
            service.wait_until_idle()
            spent = service.processor_nanoseconds() - before[namespace]
            told = deliveries(operations[namespace], crowd.stop())
            outcomes[service.daemon.name] = Outcome(told, spent / 1000 / changes)
            service.stop()
        return others, outcomes


def delays(outcome, subscribers):
    """Until the last subscriber knew, of the changes that all were told."""
    return summary(delivery.last for delivery in outcome.deliveries if delivery.reached == subscribers)


def _data(outcomes, numbers):
    return {
        name: {
            "lastMicroseconds": numbers[name],
            "firstMicroseconds": summary(delivery.first for delivery in outcome.deliveries),
            "processorMicrosecondsPerChange": outcome.processor_microseconds,
            "delivered": sum(delivery.reached for delivery in outcome.deliveries),
        }
        for name, outcome in outcomes.items()
    }


def service_latency(bench):
    changes = bench.many(300, 100)
    others, outcomes = measure(bench, daemons(bench), 1, changes, 10_000)
    numbers = {name: delays(outcome, 1) for name, outcome in outcomes.items()}
    product, bare = numbers["pathmonitord"], numbers["C daemon"]
    factor = ratio(product["p50"], bare["p50"])
    complete = product["n"] == changes
    return [
        Row(
            "service-latency",
            f"default route deleted or added → a subscriber of the daemon has the reply, {changes} changes",
            f"p50 {duration(product['p50'])}, p99 {duration(product['p99'])}, said {product['n']} of {changes}",
            f"C daemon p50 {duration(bare['p50'])}, p99 {duration(bare['p99'])}, said {bare['n']} of {changes}",
            f"{times(factor)} C daemon",
            "p50 ≤ 2 × C daemon, none missing",
            complete and at_most(factor, 2.0),
            others,
            correct=complete,
            data={"changes": changes, **_data(outcomes, numbers)},
        )
    ]


def service_fresh(bench):
    """What a state that has never been there takes the daemon; `service-fan-1` is the same with one that returns."""
    changes = bench.many(300, 60)
    others, outcomes = measure(bench, daemons(bench), 1, changes, 10_000, "fresh")
    numbers = {name: delays(outcome, 1) for name, outcome in outcomes.items()}
    product, bare = numbers["pathmonitord"], numbers["C daemon"]
    cost = {name: outcome.processor_microseconds for name, outcome in outcomes.items()}
    factor, cost_factor = ratio(product["p50"], bare["p50"]), ratio(cost["pathmonitord"], cost["C daemon"])
    complete = product["n"] == changes
    return [
        Row(
            "service-fresh",
            f"default route deleted, or added with a new gateway → a subscriber has it, {changes} changes",
            f"p50 {duration(product['p50'])}, p99 {duration(product['p99'])}, "
            f"{duration(cost['pathmonitord'])} CPU per change, delivered {product['n']} of {changes}",
            f"C daemon p50 {duration(bare['p50'])}, p99 {duration(bare['p99'])}, "
            f"{duration(cost['C daemon'])} CPU per change",
            f"{times(factor)}; CPU {times(cost_factor)}",
            "p50 ≤ 1.6 ×, CPU ≤ 2.2 ×, all delivered",
            complete and at_most(factor, 1.6) and at_most(cost_factor, 2.2),
            others,
            correct=complete,
            data={"changes": changes, **_data(outcomes, numbers)},
        )
    ]


def _fan(bench, subscribers, changes):
    limit = 1.5 if subscribers <= 100 else 1.25
    interval = 10_000 + 30 * subscribers  # each fan-out ends before the other daemon's begins
    others, outcomes = measure(bench, daemons(bench), subscribers, changes, interval)
    numbers = {name: delays(outcome, subscribers) for name, outcome in outcomes.items()}
    product, bare = numbers["pathmonitord"], numbers["C daemon"]
    cost = {name: outcome.processor_microseconds for name, outcome in outcomes.items()}
    factor = ratio(product["p50"], bare["p50"])
    cost_factor = ratio(cost["pathmonitord"], cost["C daemon"])
    delivered = sum(delivery.reached for delivery in outcomes["pathmonitord"].deliveries)
    complete = delivered == changes * subscribers
    return [
        Row(
            f"service-fan-{subscribers}",
            f"default route deleted or added → the last of {subscribers:,} subscribers has it, {changes} changes",
            f"p50 {duration(product['p50'])}, p99 {duration(product['p99'])}, "
            f"{duration(cost['pathmonitord'])} CPU per change, delivered {delivered:,} of {changes * subscribers:,}",
            f"C daemon p50 {duration(bare['p50'])}, p99 {duration(bare['p99'])}, "
            f"{duration(cost['C daemon'])} CPU per change",
            f"{times(factor)}; CPU {times(cost_factor)}",
            f"p50 ≤ {limit} ×, CPU ≤ 2 ×, all delivered",
            complete and at_most(factor, limit) and at_most(cost_factor, 2.0),
            others,
            correct=complete,
            data={"changes": changes, "subscribers": subscribers, **_data(outcomes, numbers)},
        )
    ]


def service_fan_1(bench):
    return _fan(bench, 1, bench.many(300, 60))


def service_fan_100(bench):
    return _fan(bench, 100, bench.many(200, 40))


def service_fan_1000(bench):
    return _fan(bench, 1000, bench.many(60, 20))


def service_fan_5000(bench):
    return _fan(bench, 5000, bench.many(40, 10))
