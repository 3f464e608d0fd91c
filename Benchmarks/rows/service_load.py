"""What the daemon pays when much happens that matters little: `service-churn` and `service-flap`."""

import time

import machine
from report import Row, at_most, duration, middle, ratio, times
from services import SETTLED, Service, daemons, deliveries
from watching import GONE, Operation

ROUTES, CROWD = 200_000, 100


def _churn(bench, daemon):
    """One daemon, in a pair of its own, while the routes are added and removed."""
    with bench.laboratory.pair() as pair:
        service = Service(pair, daemon)
        crowd = service.subscribe(CROWD)
        load = pair.others_load()
        switches, processor = machine.context_switches(service.pid), service.processor_nanoseconds()
        output = pair.run(bench.programs["churn"], "both", ROUTES)
        service.wait_until_idle()
        _, operations, _, nanoseconds = output.split()
        cell = {
            "wakeups": machine.context_switches(service.pid) - switches,
            "processorMilliseconds": (service.processor_nanoseconds() - processor) / 1e6,
            "drops": machine.netlink_drops(service.pid),
            "writerNanosecondsPerOperation": int(nanoseconds) / int(operations),
            "others": load.share(),
        }
        ended = time.monotonic_ns()
        flips = pair.run(bench.programs["flip"], "route", 2, 10_000, 0, pair.near).splitlines()
        changes = [Operation(int(sent), state) for _, sent, _, state in map(str.split, flips)]
        service.wait_until_idle()
        told = crowd.stop()
        cell["sent"] = sum(frame.arrival < ended for frame in told) - CROWD
        cell["toldAfterwards"] = [delivery.reached for delivery in deliveries(changes, told)]
        service.stop()
        return cell


def _rounds(count, bench, measure):
    """A B A B …; daemon -> cells."""
    cells = {}
    for _ in range(count):
        for daemon in daemons(bench):
            cells.setdefault(daemon.name, []).append(measure(bench, daemon))
    return cells


def _churn_text(cells):
    return (
        f"{middle(cells, 'processorMilliseconds'):.2f} ms CPU, {middle(cells, 'wakeups')} wakeups, "
        f"{middle(cells, 'drops')} drops, {max(cell['sent'] for cell in cells)} replies, "
        f"writer {middle(cells, 'writerNanosecondsPerOperation'):.0f} ns per route"
    )


def service_churn(bench):
    cells = _rounds(bench.many(3, 1), bench, _churn)
    product = cells["pathmonitord"]
    silent = all(cell["sent"] == 0 for cell in product)
    correct = all(cell["toldAfterwards"] == [CROWD, CROWD] for cell in product)
    writer = ratio(*(middle(values, "writerNanosecondsPerOperation") for values in cells.values()))
    return [
        Row(
            "service-churn",
            f"{ROUTES:,} /24 routes added and removed flat out under {CROWD} subscribers, median of {len(product)}",
            _churn_text(product),
            f"C daemon: {_churn_text(cells['C daemon'])}",
            f"writer {times(writer)}",
            "≤ 10 ms CPU, nothing sent",
            silent and correct and middle(product, "processorMilliseconds") <= 10,
            max(cell["others"] for cell in product),
            correct=correct,
            data=cells,
        )
    ]


def _milliseconds_until_right(told, last):
    """From the kernel's last word to the frame that brought the state that stayed. Negative: it was known before."""
    final = None
    for frame in reversed(told):
        if frame.state != GONE:
            break
        final = frame.arrival
    return None if final is None else (final - last) / 1e6


def _flap(bench, daemon):
    """One daemon, in a pair of its own, while the carrier comes and goes. It ends without."""
    with bench.laboratory.pair(prompt=True) as pair:
        service = Service(pair, daemon)
        crowds = {"at once": service.subscribe(1)}
        if daemon.request:
            crowds["settled"] = service.subscribe(1, SETTLED)
        load = pair.others_load()
        processor = service.processor_nanoseconds()
        output = pair.run(bench.programs["flap"], pair.near, pair.far, bench.many(10, 2))
        others = load.share()
        service.wait_until_idle()
        words = output.split()
        flaps, messages, start, end, last = map(int, words[1::2])
        processor = service.processor_nanoseconds() - processor
        cell = {
            "flaps": flaps,
            "messages": messages,
            "seconds": (end - start) / 1e9,
            "processorMicrosecondsPerFlap": processor / 1000 / flaps,
            "processorMicrosecondsPerMessage": processor / 1000 / messages,
            "drops": machine.netlink_drops(service.pid),
            "others": others,
            "told": {},
        }
        for name, crowd in crowds.items():
            told = crowd.stop()[1:]
            cell["told"][name] = {
                "updates": len(told),
                "updatesPerSecond": sum(start <= frame.arrival <= end for frame in told) / cell["seconds"],
                "millisecondsUntilRight": _milliseconds_until_right(told, last),
            }
        service.stop()
        return cell


def _worst(cells, name, key):
    """`None` where a state was wrong at the end."""
    values = [cell["told"][name][key] for cell in cells]
    return None if None in values else max(values)


def _known(milliseconds):
    return "wrong" if milliseconds is None else f"right after {max(0, milliseconds):.0f} ms"


def service_flap(bench):
    cells = _rounds(bench.many(3, 1), bench, _flap)
    product, bare = cells["pathmonitord"], cells["C daemon"]
    cost = {name: middle(values, "processorMicrosecondsPerFlap") for name, values in cells.items()}
    per_message = {name: middle(values, "processorMicrosecondsPerMessage") for name, values in cells.items()}
    factor, factor_per_message = (ratio(*values.values()) for values in (cost, per_message))
    rate = _worst(product, "settled", "updatesPerSecond")
    delays = {name: _worst(product, name, "millisecondsUntilRight") for name in ("at once", "settled")}
    right = None not in delays.values()

    def pace(values):
        rates = (middle(values, key) / middle(values, "seconds") for key in ("flaps", "messages"))
        return "{:,.0f} flaps and {:,.0f} carrier messages a second".format(*rates)

    return [
        Row(
            "service-flap",
            f"the carrier goes and comes flat out for {product[0]['seconds']:.0f} s, one subscriber with settle time 0 "
            f"and one with the usual; of {len(product)} runs the median cost, of the rest the worst",
            f"{duration(cost['pathmonitord'])} CPU per flap ({duration(per_message['pathmonitord'])} per message), "
            f"{pace(product)}; at once: {_worst(product, 'at once', 'updatesPerSecond'):,.0f} updates a second, "
            f"{_known(delays['at once'])}; settled: {rate:.1f} a second, {_known(delays['settled'])}",
            f"C daemon: {duration(cost['C daemon'])} CPU per flap ({duration(per_message['C daemon'])} per message), "
            f"{pace(bare)}; {_worst(bare, 'at once', 'updatesPerSecond'):,.0f} updates a second, "
            f"{_known(_worst(bare, 'at once', 'millisecondsUntilRight'))}",
            f"CPU {times(factor)} per flap, {times(factor_per_message)} per message",
            "CPU per flap ≤ 3 ×; settled ≤ 2 updates a second; both right within 300 ms",
            right and at_most(factor, 3.0) and rate <= 2 and max(delays.values()) <= 300,
            max(cell["others"] for cell in product),
            correct=right,
            data=cells,
        )
    ]
