"""How long the daemon takes to its first reply, and what it holds: `service-start-million` and `service-idle`."""

import time

import machine
from report import Row, at_most, duration, mebibytes, median, ratio, summary, times
from services import Service, Subscribers, daemons, new_socket

ROUTES, CROWD = 1_000_000, 5_000


def _start(pair, daemon):
    """Microseconds from the execve to the reply a waiting subscriber gets, and the memory a second after it, in KiB."""
    socket = new_socket(pair.laboratory)
    subscriber = Subscribers(pair, socket, 1, daemon.request)
    service = Service(pair, daemon, socket)
    subscriber.wait_until_ready()
    time.sleep(1)
    memory = machine.resident_kib(service.pid)
    first = subscriber.stop()[0].arrival
    return (first - service.stop()) / 1000, memory


def service_start_million(bench):
    product = daemons(bench)[0]
    with bench.laboratory.pair() as empty, bench.laboratory.pair() as full:
        full.run(bench.programs["churn"], "add", ROUTES)
        pairs = {"empty": empty, "full": full}
        for pair in pairs.values():
            _start(pair, product)
        load = full.others_load()
        starts = {name: [] for name in pairs}
        for _ in range(bench.many(15, 5)):
            for name, pair in pairs.items():
                starts[name].append(_start(pair, product))
        others = load.share()
    wall = {name: summary(time for time, _ in values) for name, values in starts.items()}
    memory = {name: median(kib for _, kib in values) for name, values in starts.items()}
    factor = ratio(wall["full"]["p50"], wall["empty"]["p50"])
    growth = memory["full"] / memory["empty"] - 1
    return [
        Row(
            "service-start-million",
            f"exec of the daemon → a waiting subscriber has the reply, {ROUTES:,} routes in the main table; "
            "memory a second later",
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


def _idle(bench, seconds):
    """Both daemons idle side by side with a subscriber each; neither disturbs the other. Returns others' share too."""
    with bench.laboratory.pair() as pair:
        services = [Service(pair, daemon) for daemon in daemons(bench)]
        for service in services:
            service.subscribe(1)
        load = pair.others_load()
        time.sleep(3)  # the pair's last carrier event comes up to a second after it was made
        before = [machine.context_switches(service.pid) for service in services]
        time.sleep(seconds)
        switches = [machine.context_switches(service.pid) - count for service, count in zip(services, before)]
        memory = [machine.resident_kib(service.pid) for service in services]
        return switches, memory, load.share()


def _crowd(bench, daemon):
    """What a subscriber adds to the daemon's memory, in KiB."""
    with bench.laboratory.pair() as pair:
        service = Service(pair, daemon)
        service.wait_until_idle()
        alone = machine.resident_kib(service.pid)
        service.subscribe(CROWD)
        return (machine.resident_kib(service.pid) - alone) / CROWD


def service_idle(bench):
    seconds = bench.many(60, 10)
    switches, memory, others = _idle(bench, seconds)
    each = [_crowd(bench, daemon) for daemon in daemons(bench)]
    return [
        Row(
            "service-idle",
            f"{seconds} s without any event, one subscriber; and what each of {CROWD:,} subscribers adds to the memory",
            f"{switches[0]} context switches, {mebibytes(memory[0])}; {each[0]:.2f} KiB per subscriber",
            f"C daemon: {switches[1]} context switches, {mebibytes(memory[1])}; {each[1]:.2f} KiB per subscriber",
            f"memory {times(ratio(memory[0], memory[1]))}",
            "0 context switches, ≤ 9 MiB, ≤ 2 KiB per subscriber",
            switches[0] == 0 and memory[0] <= 9 * 1024 and each[0] <= 2,
            others,
            data={"seconds": seconds, "contextSwitches": switches, "residentKiB": memory, "subscriberKiB": each},
        )
    ]
