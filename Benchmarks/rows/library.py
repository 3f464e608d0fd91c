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


def _told(bench, changes, *subscribe):
    """One daemon for each of `subscribe`, in a namespace of its own, with what that starts as its only subscriber.

    Gives for each the microseconds until it was told and whether it was told the last change; then the others' load.
    """
    with ExitStack() as stack:
        cells = {}
        for start in subscribe:
            pair = stack.enter_context(bench.laboratory.pair())
            service = Service(pair, daemons(bench)[0])
            cells[pair.near] = service, start(service)
        _flip(bench, list(cells), pair, WARM_UP)
        for service, _ in cells.values():
            service.wait_until_idle()
        load = pair.others_load()
        operations = _flip(bench, list(cells), pair, changes)
        others = load.share()
        results = []
        for namespace, (service, subscriber) in cells.items():
            service.wait_until_idle()
            told = deliveries(operations[namespace], subscriber.stop())
            results.append((summary(each.last for each in told if each.reached), told[-1].reached == 1))
            service.stop()
    return *results, others


def library_latency(bench):
    """A PathMonitor beside a C subscriber; then two C subscribers, one of which hands each path to a second thread."""
    changes = bench.many(300, 100)

    def library(service):
        return service.subscribe(1, command=(bench.library, "subscribe", service.socket))

    def bare(service):
        return service.subscribe(1)

    def handing_over(service):
        return service.subscribe(1, options=["-t"])

    # A slow handler gets the newest path and skips those between; it always gets the last one.
    (product, is_last_told), (base, _), others = _told(bench, changes, library, bare)
    (threads, _), (thread, _), _ = _told(bench, changes, handing_over, bare)
    factor, added = ratio(product["p50"], base["p50"]), threads["p50"] - thread["p50"]
    return [
        Row(
            "library-latency",
            f"default route deleted or added → handler of a PathMonitor on the daemon, {changes} changes",
            f"p50 {duration(product['p50'])}, p99 {duration(product['p99'])}, told {product['n']} of {changes}",
            f"C subscriber p50 {duration(base['p50'])}, p99 {duration(base['p99'])}, told {base['n']} of {changes}; "
            f"one with two threads + {duration(added)}",
            f"{times(factor)} C subscriber",
            "p50 ≤ 2 × C subscriber, the last one told",
            is_last_told and at_most(factor, 2),
            others,
            correct=is_last_told,
            data={"changes": changes, "microseconds": {"library": product, "C subscriber": base}, "handOver": added},
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
