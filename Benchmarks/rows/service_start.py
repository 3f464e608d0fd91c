"""How long the daemon takes to its first reply, and what it holds: `service-start-million` and `service-idle`."""

import time

import machine
from report import Row, mebibytes, ratio, times
from rows.start import million, rest
from services import Service, Subscribers, daemons, new_socket

CROWD = 5_000


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
    return million(
        bench,
        "service-start-million",
        "exec of the daemon → a waiting subscriber has the reply",
        lambda pair: _start(pair, product),
    )


def _idle(bench, seconds):
    """Both daemons idle side by side with a subscriber each; neither disturbs the other. Returns others' share too."""
    with bench.laboratory.pair() as pair:
        services = [Service(pair, daemon) for daemon in daemons(bench)]
        for service in services:
            service.subscribe(1)
        load = pair.others_load()
        switches, memory = rest([service.pid for service in services], seconds)
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
