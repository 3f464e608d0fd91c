"""How long after a change its line arrives: `route`, `fresh` and `silent`."""

from contextlib import ExitStack
from statistics import fmean

from changes import INTERVAL, JITTER, ROUNDS, WARM_UP, flip
from report import Row, at_most, duration, ratio, summary, times
from watching import GONE, Watcher, contenders, latencies, pathctl_contender


def watch(bench, contenders, kind, count, interval=INTERVAL, jitter=JITTER, keep_all=False):
    """All contenders watch at once, each in its own namespace, and the namespaces are flipped in turn.

    Returns the share others used and, per contender, its operations and what it said.
    """
    with ExitStack() as stack:
        watchers = {}
        for contender in contenders:
            pair = stack.enter_context(bench.laboratory.pair())
            watchers[pair.near] = Watcher(pair, contender, keep_all)
        load = pair.others_load()
        operations = flip(bench, pair, list(watchers), count, kind, interval, jitter)
        others = load.share()
        for watcher in watchers.values():
            watcher.wait_until_idle()
        return others, {
            watcher.contender.name: (operations[namespace], watcher.stop().lines)
            for namespace, watcher in watchers.items()
        }


def watch_alone(bench, contenders, kind, changes):
    """Each contender watches so many changes alone, in rounds.

    Returns the share that others used, and a summary of the times of each.

    A line that is missing counts as missing, never as fast.
    """
    found, loads = {contender.name: [] for contender in contenders}, []
    for _ in range(ROUNDS):
        for contender in contenders:
            others, said = watch(bench, [contender], contender.kind or kind, WARM_UP + changes)
            operations, lines = said[contender.name]
            told = latencies(operations, lines, lambda line, operation: contender.state(line) == operation.state)
            found[contender.name] += told[WARM_UP:]
            loads.append(others)
    return fmean(loads), {name: summary(values) for name, values in found.items()}


def _route(bench, name, kind, what):
    """The budget is what an earlier release takes for `fresh`, in the same rounds, and a tenth of it."""
    changes = bench.many(300, 60)
    everybody = contenders(bench.pathctl, bench.programs)
    if bench.before:
        everybody.append(pathctl_contender(bench.before, "before", "fresh"))
    others, numbers = watch_alone(bench, everybody, kind, changes)
    counted = ROUNDS * changes
    own, monitor, listener = (numbers[name] for name in ("pathctl", "ip monitor", "listener"))
    before = numbers.get("before")
    complete = own["n"] == counted
    factor = ratio(own["p50"], before["p50"]) if before else None
    return [
        Row(
            name,
            f"{what} → line read, {counted} changes",
            f"p50 {duration(own['p50'])}, p99 {duration(own['p99'])}, said {own['n']} of {counted}",
            f"ip monitor p50 {duration(monitor['p50'])}, p99 {duration(monitor['p99'])}; "
            f"bare listener p50 {duration(listener['p50'])}, p99 {duration(listener['p99'])}"
            + (f"; fresh before p50 {duration(before['p50'])}" if before else ""),
            f"{times(ratio(own['p50'], monitor['p50']))} ip monitor, {times(ratio(own['p50'], listener['p50']))} listener"
            + (f", {times(factor)} before" if before else ""),
            "p50 ≤ 1.1 × fresh before (--before)",
            complete and at_most(factor, 1.1) if before else None,
            others,
            correct=complete,
            data={"changes": counted, **numbers},
        )
    ]


def route(bench):
    return _route(bench, "route", "route", "default route deleted or added")


def fresh(bench):
    """The state without a route returns; each state with one has never been there."""
    return _route(bench, "fresh", "fresh", "default route deleted, or added with a new gateway")


def silent(bench):
    """The kernel removes the IPv4 default route together with something else, and sends no message about the route.

    The baselines cannot say that the route is gone; theirs is the time of their first line about the link or address.
    """
    count, rows = bench.many(10, 4), []
    subjects = (("link", "link set down"), ("address", "last IPv4 address removed"))
    for kind, text in subjects:
        # Half a second between namespaces: the kernel delays carrier events of one device that follow fast.
        everybody = contenders(bench.pathctl, bench.programs)
        others, said = watch(bench, everybody, kind, 2 * (count + 1), 500_000, 50_000, keep_all=True)
        found, routes_said = {}, {}
        for contender in everybody:
            name, (operations, lines) = contender.name, said[contender.name]
            whole = name == "pathctl"
            all_of_them = latencies(
                operations, lines, lambda line, operation: not whole or contender.state(line) == operation.state
            )
            losses = [index for index, operation in enumerate(operations) if operation.state == GONE][1:]
            found[name] = [all_of_them[index] for index in losses]
            if whole:
                final_state = next((s for s in (contender.state(line) for _, line in reversed(lines)) if s), None)
                settled = final_state == operations[-1].state
            else:
                routes_said[name] = sum(contender.state(line) == GONE for _, line in lines)
        numbers = {name: summary(values) for name, values in found.items()}
        product, monitor, listener = (numbers[name] for name in ("pathctl", "ip monitor", "listener"))
        complete = product["n"] == count and settled
        rows.append(
            Row(
                f"silent ({kind})",
                f"{text}, the default route vanishes without a message → line read, {count} times",
                f"p50 {duration(product['p50'])}, max {duration(product['max'])}, said {product['n']} of {count}",
                f"first line about the {kind}: ip monitor p50 {duration(monitor['p50'])}, "
                f"bare listener p50 {duration(listener['p50'])}; lines about the route: "
                f"{routes_said['ip monitor']} and {routes_said['listener']}",
                f"{times(ratio(product['p50'], monitor['p50']))} ip monitor",
                "p50 ≤ 1 ms",
                complete and at_most(product["p50"], 1000),
                others,
                correct=complete,
                data={"changes": count, "routesSaid": routes_said, **numbers},
            )
        )
    return rows

