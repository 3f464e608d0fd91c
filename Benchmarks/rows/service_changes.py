"""How long after a change the daemon's subscribers know it, and what that costs: `service-latency`, `service-fan-N`."""

from dataclasses import dataclass
from statistics import fmean

from changes import INTERVAL, ROUNDS, WARM_UP, flip
from report import Row, at_most, duration, ratio, summary, times
from services import Service, daemons, deliveries


@dataclass
class Outcome:
    deliveries: list
    processor_microseconds: float  # of the daemon, per change


def crowds(daemons, subscribers):
    """What `measure` takes: each of the daemons with so many subscribers."""
    return {daemon.name: (daemon, lambda service: service.subscribe(subscribers)) for daemon in daemons}


def measure(bench, crowds, changes, interval=INTERVAL, kind="route"):
    """So many changes for each of the crowds alone, in rounds. Each is a daemon and a function that subscribes to it.

    Returns the share that others used and an outcome per crowd, with the deliveries of all rounds.
    """
    outcomes, loads = {name: Outcome([], 0.0) for name in crowds}, []
    for _ in range(ROUNDS):
        for name, (daemon, subscribe) in crowds.items():
            with bench.laboratory.pair() as pair:
                service = Service(pair, daemon)
                crowd = subscribe(service)
                flip(bench, pair, [pair.near], WARM_UP, interval=interval)
                service.wait_until_idle()
                load, before = pair.others_load(), service.processor_nanoseconds()
                operations = flip(bench, pair, [pair.near], changes, kind, interval)[pair.near]
                loads.append(load.share())
                service.wait_until_idle()
                spent = service.processor_nanoseconds() - before
                outcomes[name].deliveries += deliveries(operations, crowd.stop())
                outcomes[name].processor_microseconds += spent / 1000 / changes / ROUNDS
                service.stop()
    return fmean(loads), outcomes


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
    others, outcomes = measure(bench, crowds(daemons(bench), 1), changes)
    numbers = {name: delays(outcome, 1) for name, outcome in outcomes.items()}
    product, bare = numbers["pathmonitord"], numbers["C daemon"]
    factor = ratio(product["p50"], bare["p50"])
    counted = ROUNDS * changes
    complete = product["n"] == counted
    return [
        Row(
            "service-latency",
            f"default route deleted or added → a subscriber of the daemon has the reply, {counted} changes",
            f"p50 {duration(product['p50'])}, p99 {duration(product['p99'])}, said {product['n']} of {counted}",
            f"C daemon p50 {duration(bare['p50'])}, p99 {duration(bare['p99'])}, said {bare['n']} of {counted}",
            f"{times(factor)} C daemon",
            "p50 ≤ 2 × C daemon, none missing",
            complete and at_most(factor, 2.0),
            others,
            correct=complete,
            data={"changes": counted, **_data(outcomes, numbers)},
        )
    ]


def service_fresh(bench):
    """What a state that has never been there takes the daemon; `service-fan-1` is the same with one that returns.

    The processor time is judged by the difference: the C daemon's varies with the processor on which it wakes up."""
    changes = bench.many(300, 60)
    others, outcomes = measure(bench, crowds(daemons(bench), 1), changes, kind="fresh")
    numbers = {name: delays(outcome, 1) for name, outcome in outcomes.items()}
    product, bare = numbers["pathmonitord"], numbers["C daemon"]
    cost = {name: outcome.processor_microseconds for name, outcome in outcomes.items()}
    factor, more = ratio(product["p50"], bare["p50"]), cost["pathmonitord"] - cost["C daemon"]
    counted = ROUNDS * changes
    complete = product["n"] == counted
    return [
        Row(
            "service-fresh",
            f"default route deleted, or added with a new gateway → a subscriber has it, {counted} changes",
            f"p50 {duration(product['p50'])}, p99 {duration(product['p99'])}, "
            f"{duration(cost['pathmonitord'])} CPU per change, delivered {product['n']} of {counted}",
            f"C daemon p50 {duration(bare['p50'])}, p99 {duration(bare['p99'])}, "
            f"{duration(cost['C daemon'])} CPU per change",
            f"{times(factor)}; CPU + {duration(more)}",
            "p50 ≤ 1.6 ×, CPU ≤ 60 µs more, all delivered",
            complete and at_most(factor, 1.6) and at_most(more, 60),
            others,
            correct=complete,
            data={"changes": counted, **_data(outcomes, numbers)},
        )
    ]


def _fan(bench, subscribers, changes):
    limit = 1.5 if subscribers <= 100 else 1.25
    interval = INTERVAL + 30 * subscribers  # each fan-out ends before the next one begins
    others, outcomes = measure(bench, crowds(daemons(bench), subscribers), changes, interval)
    numbers = {name: delays(outcome, subscribers) for name, outcome in outcomes.items()}
    product, bare = numbers["pathmonitord"], numbers["C daemon"]
    cost = {name: outcome.processor_microseconds for name, outcome in outcomes.items()}
    factor = ratio(product["p50"], bare["p50"])
    cost_factor = ratio(cost["pathmonitord"], cost["C daemon"])
    delivered = sum(delivery.reached for delivery in outcomes["pathmonitord"].deliveries)
    counted = ROUNDS * changes
    complete = delivered == counted * subscribers
    return [
        Row(
            f"service-fan-{subscribers}",
            f"default route deleted or added → the last of {subscribers:,} subscribers has it, {counted} changes",
            f"p50 {duration(product['p50'])}, p99 {duration(product['p99'])}, "
            f"{duration(cost['pathmonitord'])} CPU per change, delivered {delivered:,} of {counted * subscribers:,}",
            f"C daemon p50 {duration(bare['p50'])}, p99 {duration(bare['p99'])}, "
            f"{duration(cost['C daemon'])} CPU per change",
            f"{times(factor)}; CPU {times(cost_factor)}",
            f"p50 ≤ {limit} ×, CPU ≤ 2 ×, all delivered",
            complete and at_most(factor, limit) and at_most(cost_factor, 2.0),
            others,
            correct=complete,
            data={"changes": counted, "subscribers": subscribers, **_data(outcomes, numbers)},
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
