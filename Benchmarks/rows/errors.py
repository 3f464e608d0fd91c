"""What handling an error costs a program: `errors-rules`, `errors-scope`."""

import re

from namespaces import Failure
from report import nanoseconds_row, summary

LINE = re.compile(r"(?:handled|entered) (\d+): (\d+) ns each")


def _row(bench, name, text, limit):
    count, nanoseconds = 200_000, []
    with bench.laboratory.pair() as pair:
        load = pair.others_load()
        for _ in range(bench.many(11, 3)):
            output = pair.run(bench.errors, name.removeprefix("errors-"), count)
            match = LINE.search(output)
            if match is None or int(match[1]) != count:
                raise Failure(f"error-benchmark printed {output!r}, not 'handled {count}: N ns each'")
            nanoseconds.append(int(match[2]))
        others = load.share()
    return [
        nanoseconds_row(
            name,
            f"{text}, {count:,} times",
            summary(nanoseconds),
            f"≤ {limit // 1000} µs",
            limit,
            others,
            unit="ns of processor time each",
        )
    ]


def errors_rules(bench):
    return _row(bench, "errors-rules", "an error handled by the last of 50 rules that are tried", 10_000)


def errors_scope(bench):
    return _row(bench, "errors-scope", "an error scope entered and left, inside another one", 1_000)
