"""What retries cost a program: `resilience-judge`, `resilience-retry`, `resilience-waiters`."""

import re

from namespaces import Failure
from report import Row, at_most, nanoseconds_row, summary

LINE = re.compile(r"^([\d.]+) (ns|bytes)$")


def _measured(bench, mode, count):
    """The numbers of several runs."""
    with bench.laboratory.pair() as pair:
        load = pair.others_load()
        numbers = []
        for _ in range(bench.many(11, 3)):
            output = pair.run(bench.resilience, mode, count)
            found = LINE.match(output.strip())
            if found is None:
                raise Failure(f"resilience-benchmark printed {output!r}, not 'N ns' or 'N bytes'")
            numbers.append(float(found[1]))
        return summary(numbers), load.share()


def judge(bench):
    """An error of URLSession and the path become a reason, and that a decision."""
    result, others = _measured(bench, "judge", 200_000)
    return [
        nanoseconds_row(
            "resilience-judge",
            "an error of URLSession is judged with the path, and a retry decided",
            result,
            "≤ 2 µs",
            2_000,
            others,
        )
    ]


def retry(bench):
    """An operation that succeeds at once, in a retry and alone."""
    result, others = _measured(bench, "retry", 1_000_000)
    alone, _ = _measured(bench, "call", 1_000_000)
    return [
        Row(
            "resilience-retry",
            "`retry` around an operation that succeeds at once",
            f"p50 {result['p50']:.0f} ns",
            f"the operation alone: {alone['p50']:.0f} ns",
            f"+ {result['p50'] - alone['p50']:.0f} ns",
            "≤ 1 µs",
            at_most(result["p50"], 1_000),
            others,
            data={"nanoseconds": result, "alone": alone},
        )
    ]


def waiters(bench):
    """The memory of operations that wait for a path, and of tasks that wait for anything."""
    result, others = _measured(bench, "waiters", 10_000)
    bare, _ = _measured(bench, "tasks", 10_000)
    added = result["p50"] - bare["p50"]
    return [
        Row(
            "resilience-waiters",
            "10,000 retries wait for a path: memory of each",
            f"p50 {result['p50']:.0f} bytes",
            f"a task that waits: {bare['p50']:.0f} bytes",
            f"+ {added:.0f} bytes",
            "≤ 8 KiB more than a task",
            at_most(added, 8_192),
            others,
            data={"bytes": result, "bare": bare},
        )
    ]
