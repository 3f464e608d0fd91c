"""What the machine is, how busy others keep it, and what the kernel counts about one process."""

import os
import platform
import re
import resource
import time
from pathlib import Path

TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")
CORES = os.cpu_count() or 1
ACCEPTS_CONNECTIONS = 0x10000  # __SO_ACCEPTCON, in /proc/net/unix


def describe():
    """The machine as a dictionary: CPU model, cores, kernel, memory in MiB, load averages."""
    info = Path("/proc/cpuinfo").read_text()
    model = re.search(r"^model name\s*:\s*(.+)$", info, re.M)
    memory = re.search(r"^MemTotal:\s+(\d+)", Path("/proc/meminfo").read_text(), re.M)
    return {
        "cpu": model[1] if model else platform.machine(),
        "cores": CORES,
        "kernel": platform.release(),
        "memoryMiB": int(memory[1]) // 1024 if memory else 0,
        "load": list(os.getloadavg()),
    }


def _processor_seconds():
    """Seconds all processors together were busy, and seconds that passed on them, since boot."""
    values = [int(value) for value in Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9]]
    idle = values[3] + values[4]
    return (sum(values) - idle) / TICKS_PER_SECOND, sum(values) / TICKS_PER_SECOND


def wait_for_quiet(share=0.10, span=0.3, longest=10.0):
    """Waits until less than `share` of the machine was busy over `span` seconds; gives up after `longest`."""
    end = time.monotonic() + longest
    while time.monotonic() < end:
        busy, passed = _processor_seconds()
        time.sleep(span)
        busy_then, passed_then = _processor_seconds()
        if busy_then - busy < share * (passed_then - passed):
            return


class OthersLoad:
    """The share of the machine that was used, since `restart()`, by anything but this benchmark's own processes.

    The kernel's own work for a measurement (freeing a routing table, delivering carrier events) counts as others'.
    """

    def __init__(self, own_pids):
        self._own_pids = own_pids
        self.restart()

    def restart(self):
        self._start = self._now()

    def share(self):
        busy, passed, own = (now - start for now, start in zip(self._now(), self._start))
        return max(0.0, busy - own) / max(passed, 0.01)

    def _now(self):
        own = sum(processor_nanoseconds(pid) for pid in self._own_pids()) / 1e9
        for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN):
            usage = resource.getrusage(who)
            own += usage.ru_utime + usage.ru_stime
        return (*_processor_seconds(), own)


def _of_every_thread(pid, file):
    try:
        for thread in os.listdir(f"/proc/{pid}/task"):
            yield Path(f"/proc/{pid}/task/{thread}/{file}").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return


def processor_nanoseconds(pid):
    """Time on a processor, of all threads, to the nanosecond."""
    return sum(int(text.split()[0]) for text in _of_every_thread(pid, "schedstat"))


def context_switches(pid):
    """How often the process's threads went off a processor, by themselves or not: each is one wake-up later."""
    return sum(
        int(count) for text in _of_every_thread(pid, "status") for count in re.findall(r"ctxt_switches:\s+(\d+)", text)
    )


def resident_kib(pid):
    match = re.search(r"^VmRSS:\s+(\d+)", Path(f"/proc/{pid}/status").read_text(), re.M)
    return int(match[1]) if match else 0


def _netlink_sockets(pid):
    """The rows of /proc/PID/net/netlink that belong to the process itself."""
    own = set()
    for descriptor in os.listdir(f"/proc/{pid}/fd"):
        try:
            own.add(os.readlink(f"/proc/{pid}/fd/{descriptor}"))
        except FileNotFoundError:
            pass
    rows = [line.split() for line in Path(f"/proc/{pid}/net/netlink").read_text().splitlines()[1:]]
    return [row for row in rows if f"socket:[{row[9]}]" in own]


def netlink_drops(pid):
    """Messages the kernel could not deliver because the process did not read them in time."""
    return sum(int(row[8]) for row in _netlink_sockets(pid))


def listens_to_netlink(pid):
    """Whether the process has joined a multicast group, so that no later event escapes it."""
    try:
        return any(int(row[3], 16) != 0 for row in _netlink_sockets(pid))
    except (FileNotFoundError, ProcessLookupError):
        return False


def listens_at(pid, path):
    """Whether somebody in the process's network namespace listens at the path of a Unix socket."""
    try:
        rows = [line.split() for line in Path(f"/proc/{pid}/net/unix").read_text().splitlines()[1:]]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return any(row[7:] == [str(path)] and int(row[3], 16) & ACCEPTS_CONNECTIONS for row in rows)
