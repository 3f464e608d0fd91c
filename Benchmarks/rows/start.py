"""How long a watcher takes to its first line, and what it holds afterwards: `start-million` and `idle`."""

import time

import machine
from report import Row, at_most, duration, mebibytes, median, ratio, summary, times
from watching import Watcher, contenders

ROUTES = 1_000_000


def _start(pair, contender):
    """Microseconds from the execve to the first line, and the memory a second after it, in KiB."""
    watcher = Watcher(pair, contender)
    time.sleep(1)
    memory = machine.resident_kib(watcher.pid)
    recording = watcher.stop()
    return (recording.lines[0][0] - recording.exec_time) / 1000, memory


def million(bench, name, what, start):
    """A start beside a million routes and beside none. `start` measures one in a pair: microseconds, and KiB."""
    with bench.laboratory.pair() as empty, bench.laboratory.pair() as full:
        full.run(bench.programs["churn"], "add", ROUTES)
        pairs = {"empty": empty, "full": full}
        for pair in pairs.values():
            start(pair)
        load = full.others_load()
        starts = {name: [] for name in pairs}
        for _ in range(bench.many(15, 5)):
            for name, pair in pairs.items():
                starts[name].append(start(pair))
        others = load.share()
    wall = {name: summary(time for time, _ in values) for name, values in starts.items()}
    memory = {name: median(kib for _, kib in values) for name, values in starts.items()}
    factor = ratio(wall["full"]["p50"], wall["empty"]["p50"])
    growth = memory["full"] / memory["empty"] - 1
    return [
        Row(
            name,
            f"{what}, {ROUTES:,} routes in the main table; memory a second later",
            f"p50 {duration(wall['full']['p50'])}, p99 {duration(wall['full']['p99'])}; {mebibytes(memory['full'])}",
            f"empty table: p50 {duration(wall['empty']['p50'])}, p99 {duration(wall['empty']['p99'])}; "
            f"{mebibytes(memory['empty'])}",
            f"{times(factor)}; memory {growth:+.1%}",
            "≤ 2 ×; memory ± 5 %",
            at_most(factor, 2.0) and abs(growth) <= 0.05,
            others,
            data={"wallMicroseconds": wall, "residentKiB": memory},
        )
    ]


def start_million(bench):
    product = contenders(bench.pathctl, bench.programs)[0]
    return million(bench, "start-million", "exec → first line of watch", lambda pair: _start(pair, product))


def rest(pids, seconds):
    """The context switches of processes in a time without any event, and the memory of each after it."""
    time.sleep(3)  # the pair's last carrier event comes up to a second after it was made
    before = [machine.context_switches(pid) for pid in pids]
    time.sleep(seconds)
    switches = [machine.context_switches(pid) - count for pid, count in zip(pids, before)]
    return switches, [machine.resident_kib(pid) for pid in pids]


def idle(bench):
    """Product and `ip monitor` idle side by side; neither disturbs the other."""
    seconds = bench.many(60, 10)
    product, monitor, _ = contenders(bench.pathctl, bench.programs)
    with bench.laboratory.pair() as pair:
        watchers = [Watcher(pair, contender) for contender in (product, monitor)]
        load = pair.others_load()
        switches, memory = rest([watcher.pid for watcher in watchers], seconds)
        others = load.share()
    return [
        Row(
            "idle",
            f"{seconds} s without any event",
            f"{switches[0]} context switches, {mebibytes(memory[0])}",
            f"ip monitor: {switches[1]} context switches, {mebibytes(memory[1])}",
            f"memory {times(ratio(memory[0], memory[1]))}",
            "0 context switches, ≤ 8 MiB",
            switches[0] == 0 and memory[0] <= 8 * 1024,
            others,
            data={"seconds": seconds, "contextSwitches": switches, "residentKiB": memory},
        )
    ]
