"""What one whole evaluation of the path costs: `evaluation-2` and `evaluation-500`."""

import re
import time

from namespaces import Failure, run
from report import Row, at_most, duration, ratio, summary, times

LINE = re.compile(r"(\d+) interfaces, (\d+) lookups: ([\d.]+) us per evaluation")


def _populate(namespace, interfaces):
    """veth pairs with both ends in the namespace, up, each end with an address of both families; two default routes."""
    links, addresses = [], []
    for pair in range(interfaces // 2):
        ends = f"a{pair}", f"b{pair}"
        links.append(f"link add {ends[0]} type veth peer name {ends[1]}")
        for side, name in enumerate(ends):
            number = 2 * pair + side
            addresses += [
                f"link set {name} addrgenmode none",
                f"address add 10.{100 + number // 250}.{number % 250}.1/24 dev {name}",
                f"address add 2001:db8:{number:x}::1/64 dev {name} nodad",
                f"link set {name} up",
            ]
    routes = ["route add default via 10.100.0.2 dev a0", "route add default via 2001:db8::2 dev a0"]
    run(["ip", "-n", namespace, "-batch", "-"], text="\n".join(links + addresses + routes) + "\n")


def _once(namespace, program, repetitions):
    output = run(["ip", "netns", "exec", namespace, str(program), str(repetitions)])
    match = LINE.search(output)
    if match is None:
        raise Failure(f"{program} printed {output!r}, not 'N interfaces, L lookups: X us per evaluation'")
    return int(match[1]), int(match[2]), float(match[3])


def _measure(bench, interfaces, repetitions):
    namespace = bench.laboratory.make_namespace()
    try:
        _populate(namespace, interfaces)
        time.sleep(1.5)  # carrier events of new links are delivered up to a second late
        programs = {"product": bench.evaluation, "lookups": bench.programs["lookups"]}
        for program in programs.values():
            _once(namespace, program, max(1, repetitions // 10))
        load = bench.laboratory.others_load()
        results = {name: [] for name in programs}
        for _ in range(bench.many(21, 5)):
            for name, program in programs.items():
                results[name].append(_once(namespace, program, repetitions))
        others = load.share()
    finally:
        bench.laboratory.delete_namespace(namespace)
    numbers = {name: summary(value for _, _, value in values) for name, values in results.items()}
    lookups = {name: values[0][1] for name, values in results.items()}
    factor = ratio(numbers["product"]["p50"], numbers["lookups"]["p50"])
    return Row(
        f"evaluation-{interfaces}",
        f"one evaluation of the path, {interfaces} veth interfaces that are up with an IPv4 and an IPv6 address",
        f"p50 {duration(numbers['product']['p50'])}, p99 {duration(numbers['product']['p99'])} "
        f"({lookups['product']} lookups)",
        f"the lookups alone, in C: p50 {duration(numbers['lookups']['p50'])}, "
        f"p99 {duration(numbers['lookups']['p99'])} ({lookups['lookups']} lookups)",
        times(factor),
        "≤ 1.5 ×",
        at_most(factor, 1.5),
        others,
        data={"lookups": lookups, **numbers},
    )


def evaluation_2(bench):
    return [_measure(bench, 2, bench.many(2000, 500))]


def evaluation_500(bench):
    return [_measure(bench, 500, bench.many(60, 20))]
