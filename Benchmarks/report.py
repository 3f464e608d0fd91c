"""Rows, and how they are printed."""

import json
import math
from dataclasses import asdict, dataclass, field
from typing import Optional


@dataclass
class Row:
    """One line of the table. Cells are texts for people; `data` holds the numbers for programs."""

    name: str
    what: str
    measured: str
    baseline: str
    ratio: str
    target: str
    reached: Optional[bool]  # None: there was nothing to compare with
    others: Optional[float]  # share of the machine used by others meanwhile
    correct: bool = True  # False: a change was not said, or the last state said is wrong
    data: dict = field(default_factory=dict)


def percentile(values, share):
    """Nearest rank. `None` without values."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)] if ordered else None


def median(values):
    return percentile(values, 0.5)


def middle(cells, key):
    """The median of a number that several measurements have."""
    return median(cell[key] for cell in cells)


def summary(values):
    """The numbers that go to the JSON file."""
    values = [value for value in values if value is not None]
    return {"n": len(values), "p50": median(values), "p99": percentile(values, 0.99), "max": max(values, default=None)}


def duration(microseconds):
    """A time span for people."""
    if microseconds is None:
        return "–"
    for limit, divisor, unit in ((1e3, 1, "µs"), (1e6, 1e3, "ms"), (math.inf, 1e6, "s")):
        if microseconds < limit:
            value = microseconds / divisor
            return f"{value:.0f} {unit}" if value >= 100 else f"{value:.3g} {unit}"


def mebibytes(kib):
    return f"{kib / 1024:.1f} MiB"


def ratio(value, baseline):
    return value / baseline if value is not None and baseline else None


def times(value):
    return "–" if value is None else f"{value:.2f} ×"


def at_most(value, limit):
    """Whether a value was measured and is within its limit."""
    return value is not None and value <= limit


def nanoseconds_row(name, what, nanoseconds, target, limit, others, unit="ns"):
    """A row about one short thing, which has nothing to compare with."""
    return Row(
        name,
        what,
        f"p50 {nanoseconds['p50']:.0f} {unit}",
        "–",
        "–",
        target,
        at_most(nanoseconds["p50"], limit),
        others,
        data={"nanoseconds": nanoseconds},
    )


def failure_row(name, error):
    """What stands in the table when a row crashed."""
    return Row(name, f"failed: {error}", "–", "–", "–", "–", False, None, correct=False)


def markdown(description, rows):
    load = " ".join(f"{value:.2f}" for value in description["load"])
    lines = [
        f"{description['cpu']}, {description['cores']} cores, {description['memoryMiB'] / 1024:.0f} GiB, "
        f"Linux {description['kernel']}, load {load}",
        "",
        "| row | what | measured | baseline | ratio | target | reached | others |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for row in rows:
        reached = {True: "✓", False: "✗", None: "–"}[row.reached]
        others = "–" if row.others is None else f"{row.others:.0%}"
        cells = [row.name, row.what, row.measured, row.baseline, row.ratio, row.target, reached, others]
        lines.append("| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |")
    return "\n".join(lines) + "\n"


def write_json(path, description, rows):
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"machine": description, "rows": [asdict(row) for row in rows]}, file, indent=2, ensure_ascii=False)
        file.write("\n")
