"""The calls of scenario.txt, for clients in Python."""
import collections, json, re, subprocess, time
from pathlib import Path

INTERFACE = "io.pathmonitor.PathMonitor"
PATIENCE = 60
Row = collections.namedtuple("Row", "line verb method parameters reply")


def full(name):
    return name if "." in name or not name else f"{INTERFACE}.{name}"


def rows(uplink):
    """The rows; a reply is an object as in the protocol."""
    text = (Path(__file__).parent / "scenario.txt").read_text().partition("\n# Calls")[2]
    for line in text.replace("UPLINK", json.dumps(uplink)[1:-1]).splitlines():
        if not re.match("(call|oneway|until|begin|next|end|ip)( |$)", line):
            continue
        order, reply = (re.split(r"  +", line) + ["{}"])[:2]
        verb, method, parameters = (order.split(" ", 2) + ["", "{}"])[:3]
        error, _, members = ("", "", reply) if reply[0] == "{" else reply.partition(" ")
        wanted = {"error": full(error) or None, "parameters": json.loads(members)}
        yield Row(line, verb, full(method), json.loads(parameters) if verb != "ip" else {}, wanted)


def has(value, wanted):
    """Whether the value has the members, and of each array the elements in their order."""
    if isinstance(wanted, dict):
        return isinstance(value, dict) and all(has(value.get(key), member) for key, member in wanted.items())
    if isinstance(wanted, list) and wanted:
        rest = iter(value or [])
        return all(any(has(element, one) for element in rest) for one in wanted)
    return value == wanted


def play(uplink, call, begin):
    """Makes the calls. `call` takes a method, its parameters, and whether it is oneway; `begin` returns an iterator."""
    stream = None
    for row in list(rows(uplink)):
        end = time.monotonic() + PATIENCE
        if row.verb == "ip":
            subprocess.run(row.line.split(), check=True)
        elif row.verb == "begin":
            stream = begin(row.method, row.parameters)
        elif row.verb == "end":
            stream.close()
        elif row.verb == "oneway":
            call(row.method, row.parameters, True)
        else:
            while True:
                reply = next(stream) if row.verb == "next" else call(row.method, row.parameters, False)
                if has(reply, row.reply):
                    break
                if row.verb != "until" or time.monotonic() > end:
                    raise SystemExit(f"not as expected: {row.line}\n{reply}")
