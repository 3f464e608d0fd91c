"""What costs cost: loading a thousand rule files, and evaluations with them: `cost-load`, `cost-evaluation` and
`cost-evaluation-500`."""

import re
import shutil
import tempfile
import time
from pathlib import Path

from namespaces import Failure, run
from report import Row, duration, ratio, summary, times
from rows.evaluation import _populate

LOAD = re.compile(r"(\d+) files, (\d+) rules: ([\d.]+) us to load, ([\d.]+) us to read the files alone")
EVALUATION = re.compile(
    r"(\d+) interfaces, (\d+) rules: ([\d.]+) us without costs, ([\d.]+) us with them; "
    r"at first ([\d.]+) us without, ([\d.]+) us with them"
)
FILES = 1000


def _write_rules(directory):
    """A thousand files, each with a rule of all kinds of keys; one in a hundred fits the interfaces of the benchmark."""
    main = directory / "pathmonitord.conf"
    main.write_text("[Monitor]\nSampleAddress=\nSettle=200ms\n")
    drop_ins = directory / "pathmonitord.conf.d"
    drop_ins.mkdir()
    for number in range(FILES):
        name = "a* b*" if number % 100 == 0 else f"wlx{number:03}* usb{number}"
        (drop_ins / f"{number:04}-rule.conf").write_text(
            f"# Rule {number}\n[Match]\nName={name}\nDriver=!rndis_host cdc_*\n"
            f"HardwareAddress=!02:1a:{number % 256:02x}:*\nGateway=!192.168.{number % 256}.0/24 172.20.10.1\n\n"
            f"[Path]\nExpensive={'yes' if number % 2 else 'no'}\nPreference={number - 500}\n"
        )
    return main


def _measure(bench, command, pattern, repetitions, namespace=None):
    program = bench.evaluation.parent / "cost-benchmark"
    if not program.exists():
        raise Failure(f"no program at {program}. Build it with 'swift build -c release --static-swift-stdlib'")
    directory = Path(tempfile.mkdtemp(prefix="pmbench-"))
    try:
        words = [str(program), command, str(_write_rules(directory)), str(repetitions)]
        if namespace:
            words = ["ip", "netns", "exec", namespace] + words
        load = bench.laboratory.others_load()
        matches = []
        for _ in range(bench.many(11, 3)):
            output = run(words)
            match = pattern.fullmatch(output.strip())
            if match is None:
                raise Failure(f"{program} printed {output!r}")
            matches.append(match)
        return matches, load.share()
    finally:
        shutil.rmtree(directory)


def cost_load(bench):
    matches, others = _measure(bench, "load", LOAD, bench.many(20, 5))
    loaded, alone = (summary(float(match[group]) for match in matches) for group in (3, 4))
    factor = ratio(loaded["p50"], alone["p50"])
    return [
        Row(
            "cost-load", f"{matches[0][2]} rule files are read, understood and merged",
            f"p50 {duration(loaded['p50'])}, max {duration(loaded['max'])}",
            f"the files are only read: p50 {duration(alone['p50'])}", times(factor), "≤ 100 ms",
            loaded["p50"] <= 100_000, others, correct=int(matches[0][2]) == FILES, data={"load": loaded, "read": alone},
        )
    ]


def _evaluate(bench, interfaces, repetitions, aim, is_met):
    namespace = bench.laboratory.make_namespace()
    try:
        _populate(namespace, interfaces)
        # A way over each of them, so that all are interfaces of the path.
        routes = [
            f"route add default via 10.{100 + number // 250}.{number % 250}.2 dev {'ab'[number % 2]}{number // 2} "
            f"metric {number + 1}"
            for number in range(1, interfaces)
        ]
        run(["ip", "-n", namespace, "-batch", "-"], text="\n".join(routes) + "\n")
        time.sleep(1.5)  # carrier events of new links are delivered up to a second late
        matches, others = _measure(bench, "evaluate", EVALUATION, repetitions, namespace)
    finally:
        bench.laboratory.delete_namespace(namespace)
    bare, costly, first_bare, first_costly = (
        summary(float(match[group]) for match in matches) for group in (3, 4, 5, 6)
    )
    return Row(
        "cost-evaluation" if interfaces == 2 else f"cost-evaluation-{interfaces}",
        f"one evaluation with {matches[0][2]} rules and a metered connection on each of {interfaces} interfaces; "
        "the first one, in which the rules are matched",
        f"p50 {duration(costly['p50'])}; first {duration(first_costly['p50'])}",
        f"without rules and connections: p50 {duration(bare['p50'])}; first {duration(first_bare['p50'])}",
        times(ratio(costly["p50"], bare["p50"])), aim, is_met(bare["p50"], costly["p50"]), others,
        correct=int(matches[0][1]) == interfaces,
        data={"with": costly, "without": bare, "first with": first_costly, "first without": first_bare},
    )


def cost_evaluation(bench):
    return [_evaluate(bench, 2, bench.many(2000, 500), "≤ 20 µs more", lambda bare, costly: costly - bare <= 20)]


def cost_evaluation_500(bench):
    return [_evaluate(bench, 500, bench.many(60, 20), "≤ 1.1 ×", lambda bare, costly: costly <= 1.1 * bare)]
