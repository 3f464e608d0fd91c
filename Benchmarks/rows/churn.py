"""What a full table in motion costs a watcher, and whether it still sees what matters: `churn`, `churn-flips`."""

import json

import machine
from namespaces import Failure
from report import Row, duration, middle, summary
from watching import GONE, Operation, Watcher, contenders, latencies

ROUTES, FLIPS = 200_000, 21


def _cell(bench, contender, flips):
    """One contender, in a pair of its own, while the routes are added and removed."""
    with bench.laboratory.pair() as pair:
        watcher = Watcher(pair, contender)
        watcher.wait_until_idle()
        load = pair.others_load()
        switches = machine.context_switches(watcher.pid)
        processor = machine.processor_nanoseconds(watcher.pid)
        output = pair.run(bench.programs["churn"], "both", ROUTES, flips).splitlines()
        watcher.wait_until_idle()
        cell = {
            "wakeups": machine.context_switches(watcher.pid) - switches,
            "processorMilliseconds": (machine.processor_nanoseconds(watcher.pid) - processor) / 1e6,
            "drops": machine.netlink_drops(watcher.pid),
            "others": load.share(),
        }
        _, operations, _, nanoseconds = output[-1].split()
        cell["writerNanosecondsPerOperation"] = int(nanoseconds) / int(operations)
        changes = [Operation(int(sent), state) for sent, _, state in map(str.split, output[:-1])]
        if flips and contender.name == "pathctl":
            cell["statusAfterwards"] = _status(bench, pair)
        recording = watcher.stop()
        cell["lines"] = recording.count - (1 if contender.speaks_at_start else 0)
        said = latencies(changes, recording.lines, lambda line, operation: contender.state(line) == operation.state)
        cell["latencies"] = said
        cell["said"] = sum(value is not None for value in said)
        states = [state for state in (contender.state(line) for _, line in recording.lines) if state is not None]
        cell["lastState"] = states[-1] if states else None
        return cell


def _status(bench, pair):
    """The state a fresh `pathctl status` tells."""
    output = pair.run(bench.pathctl, "status", "--json", "--direct", check=False)
    try:
        return json.loads(output)["status"]
    except (ValueError, KeyError) as error:
        raise Failure(f"pathctl status --json --direct printed {output!r}, not a path") from error


def _rounds(bench, flips):
    """A B C A B C …; contender -> cells."""
    cells = {}
    for _ in range(bench.many(3, 1)):
        for contender in contenders(bench.pathctl, bench.programs):
            cells.setdefault(contender.name, []).append(_cell(bench, contender, flips))
    return cells


def _cost(cells):
    return (
        f"{middle(cells, 'wakeups')} wakeups, {middle(cells, 'processorMilliseconds'):.2f} ms CPU, "
        f"{middle(cells, 'drops')} drops, {middle(cells, 'lines')} lines"
    )


def churn(bench):
    cells = _rounds(bench, 0)
    product = cells["pathctl"]
    reached = (
        middle(product, "wakeups") <= 10
        and middle(product, "processorMilliseconds") <= 10
        and all(cell["drops"] == 0 and cell["lines"] == 0 for cell in product)
    )
    writer = {name: middle(values, "writerNanosecondsPerOperation") for name, values in cells.items()}
    return [
        Row(
            "churn",
            f"{ROUTES:,} /24 routes added and removed flat out, median of {len(product)}",
            f"{_cost(product)}; writer {writer['pathctl']:.0f} ns per route",
            "; ".join(
                f"{name}: {_cost(cells[name])}; writer {writer[name]:.0f} ns per route"
                for name in ("ip monitor", "listener")
            ),
            f"writer {writer['pathctl'] / writer['ip monitor']:.2f} × ip monitor",
            "≤ 10 wakeups, ≤ 10 ms, 0 drops, 0 lines",
            reached,
            max(cell["others"] for cell in product),
            data=cells,
        )
    ]


def churn_flips(bench):
    cells = _rounds(bench, FLIPS)

    def told(name):
        values = cells[name]
        latency = summary(value for cell in values for value in cell["latencies"])
        seen = min(cell["said"] for cell in values)
        final = all(cell["lastState"] == GONE for cell in values)
        text = f"{seen} of {FLIPS}, last state {'right' if final else 'wrong'}, p50 {duration(latency['p50'])}"
        return text, seen == FLIPS and final, latency["p50"]

    text, right, latency = told("pathctl")
    right = right and all(cell["statusAfterwards"] == "unsatisfied" for cell in cells["pathctl"])
    monitor_text, _, monitor_latency = told("ip monitor")
    return [
        Row(
            "churn-flips",
            f"the same with {FLIPS} changes of the default route in between; of {len(cells['pathctl'])} runs the worst",
            f"{text}; {_cost(cells['pathctl'])}",
            f"ip monitor: {monitor_text}; listener: {told('listener')[0]}",
            f"{latency / monitor_latency:.2f} × ip monitor" if latency and monitor_latency else "–",
            f"{FLIPS} of {FLIPS}, last state right",
            right,
            max(cell["others"] for cell in cells["pathctl"]),
            correct=right,
            data=cells,
        )
    ]
