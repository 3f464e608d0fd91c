"""What the library costs a program: `library-latency`, `library-read`, `library-start`."""

import re
import resource
from contextlib import ExitStack

from namespaces import Failure
from report import Row, at_most, duration, nanoseconds_row, ratio, summary, times
from services import Service, daemons, deliveries
from watching import Operation

LINE = re.compile(r"(\d+) readings, (\d+) satisfied: ([\d.]+) ns each")
WARM_UP, INTERVAL, JITTER = 10, 10_000, 5_000


def _flip(bench, namespaces, pair, count):
    output = pair.run(bench.programs["flip"], "route", count, INTERVAL, JITTER, *namespaces)
    operations = {namespace: [] for namespace in namespaces}
    for namespace, sent, _, state in (line.split() for line in output.splitlines()):
        operations[namespace].append(Operation(int(sent), state))
    return operations


def library_latency(bench):
    """Two daemons, each in its own namespace: one tells a PathMonitor, the other a C subscriber."""
    changes = bench.many(300, 100)
    with ExitStack() as stack:
        cells = {}
        for name in ("library", "C subscriber"):
            pair = stack.enter_context(bench.laboratory.pair())
            service = Service(pair, daemons(bench)[0])
            command = (bench.library, "subscribe", service.socket) if name == "library" else None
            cells[pair.near] = name, service, service.subscribe(1, command=command)
        _flip(bench, list(cells), pair, WARM_UP)
        for _, service, _ in cells.values():
            service.wait_until_idle()
        load = pair.others_load()
        operations = _flip(bench, list(cells), pair, changes)
        others = load.share()
        numbers, ends = {}, {}
        for namespace, (name, service, subscriber) in cells.items():
            service.wait_until_idle()
            told = deliveries(operations[namespace], subscriber.stop())
            numbers[name] = summary(delivery.last for delivery in told if delivery.reached)
            ends[name] = told[-1].reached == 1
            service.stop()
    product, bare = numbers["library"], numbers["C subscriber"]
    factor = ratio(product["p50"], bare["p50"])
    # A slow handler gets the newest path and skips those between; it always gets the last one.
    is_last_told = ends["library"]
    return [
        Row(
            "library-latency",
            f"default route deleted or added → handler of a PathMonitor on the daemon, {changes} changes",
            f"p50 {duration(product['p50'])}, p99 {duration(product['p99'])}, told {product['n']} of {changes}",
            f"C subscriber p50 {duration(bare['p50'])}, p99 {duration(bare['p99'])}, told {bare['n']} of {changes}",
            f"{times(factor)} C subscriber",
            "p50 ≤ 2 × C subscriber, the last one told",
            is_last_told and at_most(factor, 2),
            others,
            correct=is_last_told,
            data={"changes": changes, "microseconds": numbers},
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
