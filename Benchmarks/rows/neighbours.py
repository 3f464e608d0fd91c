"""What the daemon pays for the neighbours of the machine, of which its routers alone matter: `service-neighbours`."""

import sys
import time

import machine
from namespaces import GATEWAY, run
from report import Row
from rows.start import rest
from services import Service, daemons

INTERFACES, NEIGHBOURS, RATE = 1_000, 200, 10_000
# A program that sends a datagram to the router ten times a second.
TRAFFIC = f"""
import socket, time
while True:
    socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"", ("{GATEWAY}", 9))
    time.sleep(0.1)
"""


def _populate(pair):
    """Pairs with both ends in the near namespace, up, each end with an address. With `v0` and `lo` they are 1,000."""
    lines = []
    for number in range(INTERFACES // 2 - 1):
        lines.append(f"link add a{number} type veth peer name b{number}")
        for side, name in enumerate((f"a{number}", f"b{number}")):
            third, fourth = divmod(2 * number + side, 250)
            lines += [
                f"link set {name} addrgenmode none",
                f"address add 10.{100 + third}.{fourth}.1/24 dev {name}",
                f"link set {name} up",
            ]
    pair.configure("\n".join(lines))
    # The kernel asks the router anew every second or two, and gives it up within a second.
    times = ("base_reachable_time_ms=1000", "delay_first_probe_time=1", "retrans_time_ms=100")
    pair.run("sysctl", "-qw", *(f"net.ipv4.neigh.v0.{time}" for time in times))
    time.sleep(1.5)  # carrier events of new links are delivered up to a second late


def _storm(changes):
    """Lines that change each neighbour in turn."""
    lines = []
    for index in range(changes):
        turn, neighbour = divmod(index, NEIGHBOURS)
        lines.append(f"neigh replace 10.200.0.{10 + neighbour} lladdr 02:00:00:00:00:{16 + turn % 64:x} dev v0")
    return lines


def service_neighbours(bench):
    daemon, seconds, changes = daemons(bench)[0], bench.many(60, 10), bench.many(20, 5) * RATE
    with bench.laboratory.pair() as pair:
        _populate(pair)
        service = Service(pair, daemon)
        crowd = service.subscribe(1)
        pair.spawn(sys.executable, "-c", TRAFFIC)
        time.sleep(5)  # the daemon begins to follow the router, and sees it answer
        service.wait_until_idle()
        load = pair.others_load()
        (quiet,), (memory,) = rest([service.pid], seconds)
        lines = _storm(changes)
        switches, processor = machine.context_switches(service.pid), service.processor_nanoseconds()
        start = time.monotonic_ns()
        pair.configure("\n".join(lines))
        passed = time.monotonic_ns() - start
        switches = machine.context_switches(service.pid) - switches
        processor = service.processor_nanoseconds() - processor
        others, drops = load.share(), machine.netlink_drops(service.pid)
        ended = time.monotonic_ns()
        run(["ip", "-n", pair.far, "address", "delete", f"{GATEWAY}/24", "dev", "v1"])
        time.sleep(8)
        told = crowd.stop()
        replies = sum(frame.arrival < ended for frame in told) - 1
        silent = next(((frame.arrival - ended) / 1e9 for frame in told if frame.arrival > ended), None)
        service.stop()
    share, rate = processor / passed, changes * 1e9 / passed
    return [
        Row(
            "service-neighbours",
            f"{INTERFACES:,} interfaces, and a router that answers while there is traffic: {seconds} s without another "
            f"event, then {changes:,} changes of {NEIGHBOURS} other neighbours, then the router is silent",
            f"{quiet} context switches, {memory / 1024:.1f} MiB; {rate:,.0f} changes a second: {switches} context "
            f"switches, {share:.2%} of a core, {drops} drops, {replies} replies; "
            + ("the silence is not said" if silent is None else f"the silence is said after {silent:.1f} s"),
            "–",
            "–",
            "0 context switches; ≤ 5 % of a core, nothing sent",
            quiet == 0 and share <= 0.05 and replies == 0 and silent is not None,
            others,
            correct=replies == 0 and silent is not None,
            data={
                "seconds": seconds, "contextSwitches": quiet, "residentKiB": memory, "changesPerSecond": rate,
                "contextSwitchesOfStorm": switches, "share": share, "drops": drops, "replies": replies,
                "secondsUntilSilent": silent,
            },
        )
    ]
