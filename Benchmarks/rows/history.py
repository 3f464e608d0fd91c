"""What recording the path costs, and what others notice of it: `history-change`, `history-idle`, `history-flaps`."""

import re
import time
from pathlib import Path

import machine
from changes import flip
from namespaces import Failure
from report import Row, at_most, duration, mebibytes, ratio, summary, times
from services import Service, daemons, deliveries, new_socket

INTERVAL = 300_000  # microseconds: each change is a transaction of its own


class Recorder:
    """`pathmonitor-history record` beside a service."""

    def __init__(self, bench, pair, service):
        self.file = Path(new_socket(pair.laboratory) + ".sqlite")
        self.process = pair.spawn(
            bench.recorder, "record", "--file", self.file, "--socket", service.socket, "--config", "/dev/null")
        self.pid = self.process.pid
        for _ in range(400):
            if Path(f"{self.file}-mark").exists():
                return
            time.sleep(0.01)
        raise Failure("the recorder has marked nothing within 4 s")

    def written(self):
        """The bytes that it has written so far."""
        return int(re.search(r"^wchar: (\d+)", Path(f"/proc/{self.pid}/io").read_text(), re.M)[1])


def history_change(bench):
    changes = bench.many(100, 20)
    product = daemons(bench)[0]
    with bench.laboratory.pair() as recorded, bench.laboratory.pair() as bare:
        cells = {}
        for pair in (recorded, bare):
            service = Service(pair, product)
            cells[pair.near] = service, service.subscribe(1)
        recorder = Recorder(bench, recorded, cells[recorded.near][0])
        subscriber = cells[bare.near][1]
        flip(bench, recorded, list(cells), 4, interval=INTERVAL)
        load = recorded.others_load()
        pids = (recorder.pid, subscriber._process.pid)
        before = [machine.processor_nanoseconds(pid) for pid in pids]
        operations = flip(bench, recorded, list(cells), changes, interval=INTERVAL)
        others = load.share()
        time.sleep(0.5)
        spent = [(machine.processor_nanoseconds(pid) - start) / 1000 / changes for pid, start in zip(pids, before)]
        told = {name: deliveries(operations[name], crowd.stop()) for name, (_, crowd) in cells.items()}
        delays = {name: summary(delivery.last for delivery in told[name] if delivery.reached == 1) for name in cells}
        recorded.end(recorder.process)
    beside, alone = delays[recorded.near], delays[bare.near]
    factor = ratio(beside["p50"], alone["p50"])
    return [
        Row(
            "history-change",
            f"default route deleted or added while the recorder runs, {changes} changes, each on the disk before the "
            "next: its processor time, and the delivery to another subscriber",
            f"{duration(spent[0])} CPU per change; delivery p50 {duration(beside['p50'])}",
            f"a bare C subscriber: {duration(spent[1])} CPU per change; delivery without a recorder: p50 "
            f"{duration(alone['p50'])}",
            f"delivery {times(factor)}",
            "≤ 5 ms CPU per change; delivery ≤ 1.25 ×",
            spent[0] <= 5_000 and at_most(factor, 1.25),
            others,
            correct=beside["n"] == changes,
            data={"processorMicrosecondsPerChange": spent, "lastMicroseconds": [beside, alone]},
        )
    ]


def history_idle(bench):
    seconds = bench.many(120, 61)
    with bench.laboratory.pair() as pair:
        service = Service(pair, daemons(bench)[0])
        recorder = Recorder(bench, pair, service)
        # The marks of a new span are 1, 2, 4, … 60 s apart.
        time.sleep(bench.many(70, 66))
        load = pair.others_load()
        processes = (recorder.pid, service.pid)
        before, written = [machine.context_switches(pid) for pid in processes], recorder.written()
        history = recorder.file.stat()
        time.sleep(seconds)
        switches = [machine.context_switches(pid) - count for pid, count in zip(processes, before)]
        written = recorder.written() - written
        unchanged = recorder.file.stat().st_mtime_ns == history.st_mtime_ns
        memory = machine.resident_kib(recorder.pid)
        others = load.share()
        pair.end(recorder.process)
    marks = seconds // 60 + 1
    return [
        Row(
            "history-idle",
            f"{seconds} s without any event while the recorder runs",
            f"recorder {switches[0]} context switches, {written} bytes written beside the history, "
            f"{mebibytes(memory)}; service {switches[1]} context switches",
            "–",
            "–",
            f"recorder ≤ {marks}, ≤ {32 * marks} bytes, ≤ 10 MiB; service 0",
            switches[0] <= marks and written <= 32 * marks and memory <= 10 * 1024 and switches[1] == 0 and unchanged,
            others,
            correct=unchanged,
            data={"seconds": seconds, "contextSwitches": switches, "bytesWritten": written, "residentKiB": memory},
        )
    ]


def history_flaps(bench):
    count = bench.many(10_000_000, 100_000)
    with bench.laboratory.pair() as pair:
        load = pair.others_load()
        output = pair.run(bench.history, count, new_socket(pair.laboratory) + ".sqlite", longest=3600)
        others = load.share()
    match = re.fullmatch(
        r"written \d+ outages in (\d+) ms\ntotals (\w+).*\nsize (\d+) bytes of (\d+)\n"
        r"days (\d+) outages in (\d+) us\nspans (\d+) outages in (\d+) us\n", output)
    if match is None:
        raise Failure(f"history-benchmark printed {output!r}")
    milliseconds, size, limit, _, days, kept, spans = (int(match[group]) for group in (1, 3, 4, 5, 6, 7, 8))
    return [
        Row(
            "history-flaps",
            f"{count:,} outages in 400 days go through the timeline and the writer; then a reader asks for the sums of "
            "each day and for all spans that are left",
            f"{milliseconds * 1000 / count:.1f} µs each; file {mebibytes(size / 1024)}; days {duration(days)}, "
            f"{kept:,} outages {duration(spans)}",
            "–",
            "–",
            f"sums equal, file ≤ {mebibytes(limit / 1024)}, both questions ≤ 200 ms",
            match[2] == "equal" and size <= limit and days + spans <= 200_000,
            others,
            correct=match[2] == "equal" and size <= limit,
            data={"milliseconds": milliseconds, "bytes": size, "daysMicroseconds": days, "spansMicroseconds": spans},
        )
    ]
