"""How long `pathctl status` takes as a process: `status` alone, `service-status` with the daemon."""

import shutil
import subprocess

from namespaces import Failure
from report import Row, at_most, duration, ratio, summary, times
from services import Service, daemons, serve

ROUTES = 500_000
FLAT = 1.2  # how much slower a full table may make it and still be called flat: the noise of starting a process


# Other programs that print the network's state to a shell, if they are installed and their daemons run.
OTHER_CLIENTS = {
    "networkctl": ["networkctl", "--no-pager", "--no-legend", "list"],
    "nmcli": ["nmcli", "--terse", "general", "status"],
}


def _floors(bench, socket):
    programs = bench.programs
    commands = {"C floor": [programs["socket-client"], socket]}
    if "floor" in programs:
        commands["Swift floor"] = [programs["floor"], socket]
    return commands


def _commands(bench, socket):
    return {
        "pathctl": [bench.pathctl, "status", "--json", "--direct"],
        "ip route": ["ip", "route", "show", "default"],
        **_floors(bench, socket),
    }


def _other_clients(pair):
    """Those that work here."""

    def works(words):
        if shutil.which(words[0]) is None:
            return False
        quiet = subprocess.DEVNULL
        command = ["ip", "netns", "exec", pair.near, *words]
        try:
            return subprocess.run(command, stdin=quiet, stdout=quiet, stderr=quiet, timeout=5).returncode == 0
        except subprocess.TimeoutExpired:
            return False

    return {name: words for name, words in OTHER_CLIENTS.items() if works(words)}


def _block(pair, program, commands, rounds):
    """Wall times in microseconds, command by command in turn; name -> values."""
    text = "".join("\t".join(map(str, (name, *words))) + "\n" for name, words in commands.items())
    found = {name: [] for name in commands}
    for line in pair.run(program, rounds, text=text).splitlines():
        name, nanoseconds, status = line.rsplit(" ", 2)
        if int(status) != 0:
            raise Failure(f"{' '.join(map(str, commands[name]))} ended with {status} though the path is satisfied")
        found[name].append(int(nanoseconds) / 1000)
    return found


def status(bench):
    with bench.laboratory.pair() as few, bench.laboratory.pair() as many:
        many.run(bench.programs["churn"], "add", ROUTES)
        commands = _commands(bench, serve(few, "socket-server"))
        walking = {"ip route": commands.pop("ip route")}  # reads the whole table, so it runs less often there
        load = few.others_load()
        found = {"few": {}, "many": {}}
        for _ in range(bench.many(20, 5)):
            for table, pair, rounds in (("few", few, 10), ("many", many, 1)):
                block = _block(pair, bench.programs["time-commands"], commands, 10)
                block |= _block(pair, bench.programs["time-commands"], walking, rounds)
                for name, values in block.items():
                    found[table].setdefault(name, []).extend(values)
        others = load.share()
    numbers = {table: {name: summary(values) for name, values in cells.items()} for table, cells in found.items()}
    return [_row(numbers["few"], others, numbers), _row_with_routes(numbers, others)]


def _listing(numbers, names):
    return "; ".join(
        f"{name} p50 {duration(numbers[name]['p50'])}, p99 {duration(numbers[name]['p99'])}"
        for name in names
        if name in numbers
    )


def _row(few, others, numbers):
    factor = ratio(few["pathctl"]["p50"], few["Swift floor"]["p50"]) if "Swift floor" in few else None
    return Row(
        "status",
        f"pathctl status --json --direct as a process, {few['pathctl']['n']} times",
        _listing(few, ["pathctl"]),
        _listing(few, ["Swift floor", "C floor", "ip route"]),
        f"{times(factor)} Swift floor",
        "≤ 1.5 × Swift floor",
        None if factor is None else at_most(factor, 1.5),
        others,
        data=numbers,
    )


def _row_with_routes(numbers, others):
    few, many = numbers["few"]["pathctl"], numbers["many"]["pathctl"]
    factor = ratio(many["p50"], few["p50"])
    return Row(
        "status (routes)",
        f"the same with {ROUTES:,} routes in the main table",
        _listing(numbers["many"], ["pathctl"]),
        f"few routes: pathctl p50 {duration(few['p50'])}; {ROUTES:,} routes: "
        + _listing(numbers["many"], ["Swift floor", "C floor", "ip route"]),
        f"{times(factor)} few routes",
        f"flat (≤ {FLAT} ×)",
        at_most(factor, FLAT),
        others,
    )


def service_status(bench):
    with bench.laboratory.pair() as pair:
        service = Service(pair, daemons(bench)[0])
        commands = {
            "pathctl": [bench.pathctl, "--socket", service.socket, "status", "--json"],
            **_floors(bench, serve(pair, "socket-server")),
            **_other_clients(pair),
        }
        spent = service.processor_nanoseconds()
        load = pair.others_load()
        found = {}
        for _ in range(bench.many(20, 5)):
            for name, values in _block(pair, bench.programs["time-commands"], commands, 10).items():
                found.setdefault(name, []).extend(values)
        others = load.share()
        if service.processor_nanoseconds() == spent:
            raise Failure("pathctl status --socket has not asked the daemon")
    numbers = {name: summary(values) for name, values in found.items()}
    factor = ratio(numbers["pathctl"]["p50"], numbers["Swift floor"]["p50"]) if "Swift floor" in numbers else None
    return [
        Row(
            "service-status",
            f"pathctl --socket PATH status --json as a process, {numbers['pathctl']['n']} times",
            _listing(numbers, ["pathctl"]),
            _listing(numbers, ["Swift floor", "C floor", *OTHER_CLIENTS]),
            f"{times(factor)} Swift floor",
            "≤ 1.5 × Swift floor",
            None if factor is None else at_most(factor, 1.5),
            others,
            data=numbers,
        )
    ]
