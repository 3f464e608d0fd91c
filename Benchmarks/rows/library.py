"""What the library costs a program: `library-latency`, `library-read`, `library-start`."""

import re
import resource

from changes import ROUNDS
from namespaces import Failure
from report import Row, at_most, duration, nanoseconds_row, ratio, summary, times
from rows.service_changes import delays, measure
from services import daemons

LINE = re.compile(r"(\d+) readings, (\d+) satisfied: ([\d.]+) ns each")


def library_latency(bench):
    """A PathMonitor beside a C subscriber, and beside one that hands each path to a second thread."""
    changes = bench.many(300, 100)
    subscribes = {
        "library": lambda service: service.subscribe(1, command=(bench.library, "subscribe", service.socket)),
        "C subscriber": lambda service: service.subscribe(1),
        "two threads": lambda service: service.subscribe(1, options=["-t"]),
    }
    daemon = daemons(bench)[0]
    others, outcomes = measure(bench, {name: (daemon, start) for name, start in subscribes.items()}, changes)
    numbers = {name: delays(outcome, 1) for name, outcome in outcomes.items()}
    product, base, threads = (numbers[name] for name in subscribes)
    counted, factor = ROUNDS * changes, ratio(product["p50"], base["p50"])
    # A slow handler gets the newest path and skips those between; it always gets the last one of a round.
    last_deliveries = outcomes["library"].deliveries[changes - 1 :: changes]
    is_last_told = all(delivery.reached == 1 for delivery in last_deliveries)
    return [
        Row(
            "library-latency",
            f"default route deleted or added → handler of a PathMonitor on the daemon, {counted} changes",
            f"p50 {duration(product['p50'])}, p99 {duration(product['p99'])}, told {product['n']} of {counted}",
            f"C subscriber p50 {duration(base['p50'])}, p99 {duration(base['p99'])}, told {base['n']} of {counted}; "
            f"one with two threads p50 {duration(threads['p50'])}",
            f"{times(factor)} C subscriber",
            "p50 ≤ 2 × C subscriber, the last one told",
            is_last_told and at_most(factor, 2),
            others,
            correct=is_last_told,
            data={"changes": counted, "microseconds": numbers},
        )
    ]


def library_read(bench):
    """By one thread, and by two at once that want the same all the time."""
    readings, rows = 10_000_000, []
    for threads, text in ((1, "one thread"), (2, "each of two threads at once")):
        nanoseconds = []
        with bench.laboratory.pair() as pair:
            load = pair.others_load()
            for _ in range(bench.many(11, 3)):
                before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
                output = pair.run(bench.library, "read", readings, threads)
                if LINE.search(output) is None:
                    raise Failure(f"library-benchmark printed {output!r}, not 'N readings, S satisfied: X ns each'")
                used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
                nanoseconds.append(used / readings / threads * 1e9)
            others = load.share()
        rows.append(
            nanoseconds_row(
                "library-read" if threads == 1 else f"library-read ({threads} threads)",
                f"currentPath read {readings:,} times by {text}",
                summary(nanoseconds),
                "≤ 50 ns",
                50,
                others,
                unit="ns of processor time each",
            )
        )
    return rows


def library_start(bench):
    if "hello" not in bench.programs:
        raise Failure("there is no Swift compiler to build the program it is compared with")
    commands = {"library": [bench.library, "start"], "hello": [bench.programs["hello"]]}
    text = "".join("\t".join(map(str, (name, *words))) + "\n" for name, words in commands.items())
    with bench.laboratory.pair() as pair:
        load = pair.others_load()
        found = {name: [] for name in commands}
        for line in pair.run(bench.programs["time-commands"], "--output", bench.many(200, 40), text=text).splitlines():
            name, nanoseconds, status = line.rsplit(" ", 2)
            if int(status) != 0:
                raise Failure(f"{name} ended with {status}")
            found[name].append(int(nanoseconds) / 1000)
        others = load.share()
    wall = {name: summary(values) for name, values in found.items()}
    added = wall["library"]["p50"] - wall["hello"]["p50"]
    return [
        Row(
            "library-start",
            "exec of a program that starts a PathMonitor in process → it has its first path",
            f"p50 {duration(wall['library']['p50'])}, p99 {duration(wall['library']['p99'])}",
            f"Swift program that says hello: p50 {duration(wall['hello']['p50'])}",
            f"+ {duration(added)}",
            "≤ 3 ms added",
            at_most(added, 3_000),
            others,
            data={"wallMicroseconds": wall, "addedMicroseconds": added},
        )
    ]
