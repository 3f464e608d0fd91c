"""How many calls the daemon answers: `service-calls`."""

import os
from contextlib import contextmanager

from namespaces import Failure
from report import Row, median, ratio, times
from services import Service, call, daemons, serve

TARGET = 20_000  # calls a second


@contextmanager
def _one_processor():
    """Client and server share a processor: else the time is that of waking another one, which is up to the machine."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(before)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def _calls(bench, pair, socket, count):
    """Calls a second, and the length of the reply."""
    output = pair.run(bench.programs["caller"], socket, count, call("GetPath"))
    _, calls, _, nanoseconds, _, length = output.split()
    return int(calls) * 1e9 / int(nanoseconds), int(length)


def service_calls(bench):
    count = bench.many(20_000, 5_000)
    with _one_processor(), bench.laboratory.pair() as pair:
        service = Service(pair, daemons(bench)[0])
        _, length = _calls(bench, pair, service.socket, 1)
        sockets = {"pathmonitord": service.socket, "echo": serve(pair, "echo", length)}
        load = pair.others_load()
        rates = {name: [] for name in sockets}
        for _ in range(bench.many(15, 5)):
            for name, socket in sockets.items():
                rate, received = _calls(bench, pair, socket, count)
                if received != length:
                    raise Failure(f"{name} answers with {received} bytes, not {length} as before")
                rates[name].append(rate)
        others = load.share()
    rate = {name: median(values) for name, values in rates.items()}
    return [
        Row(
            "service-calls",
            f"GetPath on one connection, each call after the reply to the last, {length} bytes, on one processor",
            f"{rate['pathmonitord']:,.0f} a second",
            f"C server that answers as many bytes: {rate['echo']:,.0f} a second",
            f"{times(ratio(rate['echo'], rate['pathmonitord']))} the time",
            f"≥ {TARGET:,} a second",
            rate["pathmonitord"] >= TARGET,
            others,
            data={"replyBytes": length, "callsPerSecond": rates},
        )
    ]
