"""Runs the cases of a file in network namespaces, one after the other, and prints a line for each step as TAP has it.

cases.py PATHCTL FILE. PathCaseTests/path-cases.txt explains the words, NetworkCommands.swift the commands. A command
that fails is a failure, too. Below an expected path, `sentence` and `advice` are those of its diagnosis.
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

PATHCTL, FILE = sys.argv[1:]
PATIENCE = 30
FLAGS = {"ipv4": "supportsIPv4", "ipv6": "supportsIPv6", "expensive": "isExpensive", "constrained": "isConstrained",
         "tunnel": "usesTunnel"}


def cases():
    found = []
    with open(FILE) as file:
        lines = [line.strip() for line in file if line.strip() and line.strip()[0] != "#"]
    for line in lines:
        if line.startswith("case "):
            found.append((line[5:], []))
        else:
            found[-1][1].append(line)
    for name, items in found:
        each = next((item for item in items if item.startswith("each ")), None)
        if each is None:
            yield name, items
            continue
        word, *values = each.split()[1:]
        for value in values:
            yield f"{name} ({value})", [item.replace(word, value) for item in items if item != each]


def lines_of(item):
    """The lines for bash of an item."""
    if item.startswith("$ "):
        return [item[2:]]
    found = []
    for words in (command.split() for command in item.split("; ")):
        first, rest, space = words[0], words[1:], "$NS"
        if first == "peer":
            first, rest, space = rest[0], rest[1:], "${NS}p"
        if first not in ("pair", "cable", "uplink"):
            found.append(f"ip -n {space} {first} {' '.join(rest)}")
            continue
        link, digit = rest[0], rest[0][-1]
        # Fallback devices of tunnels have the first indices. With equal ones the kernel delays the carrier of a pair.
        far = f"p{digit} netns ${{NS}}p index 11{digit}"
        found.append(f"ip -n $NS link add {link} index 9{digit} type veth peer name {far}")
        if first != "pair":
            found += [f"ip -n ${{NS}}p link set p{digit} up", f"ip -n $NS link set {link} up"]
        if len(rest) > 1:
            found.append(f"ip -n $NS address add {rest[1]} dev {link}" + " nodad" * (":" in rest[1]))
        if first == "uplink":
            found.append(f"ip -n $NS route add default via {rest[3]} dev {link} {' '.join(rest[4:])}")
    return found


def values(path):
    """All that a line `= …` may say of the path, by the words before `=`."""
    interfaces, cause, cost = path["interfaces"], path.get("diagnosis") or {}, path.get("cost") or {"evidence": []}
    names = [one["name"] for one in interfaces]
    found = {path["status"]: "", "reason": path.get("unsatisfiedReason"), "interface": (names or [None])[0]}
    found.update({"type": path.get("interfaceType"), "all": ",".join(names), "routers": ",".join(path["gateways"])})
    found.update({"cost": cost.get("confidence"), "evidence": ",".join(one["source"] for one in cost["evidence"])})
    found["cause"] = ":".join(filter(None, [cause.get("code"), cause.get("subject")]))
    found["circumstances"] = ",".join(cause.get("circumstances") or [])
    found.update({("+" if path[field] else "-") + word: "" for word, field in FLAGS.items()})
    for one in interfaces:
        found["underlying:" + one["name"]] = ",".join(one.get("underlying") or [])
        found[("expensive:" if one["isExpensive"] else "cheap:") + one["name"]] = ""
    return found


class Network:
    """The namespaces of a case, and the programs that look at the path in the first of them."""

    def __init__(self, number, items):
        self.namespace = f"case{os.getpid()}-{number}"
        self.environment = {**os.environ, "NS": self.namespace}
        self.folder = tempfile.mkdtemp(prefix="cases-", dir="/run")
        self.options = ["--direct"]
        if rules := [item[14:] for item in items if item.startswith("configuration ")]:
            with open(f"{self.folder}/rules.conf", "w") as file:
                file.write("\n".join(rules) + "\n")
            self.options += ["--config", f"{self.folder}/rules.conf"]
        self.shell("ip netns add $NS; ip netns add ${NS}p; ip -n $NS link set lo up")
        with open(f"{self.folder}/watch", "w") as output:
            self.watch = subprocess.Popen(self.words("watch", "--json"), stdout=output)

    def words(self, *words):
        return ["ip", "netns", "exec", self.namespace, PATHCTL, *words, *self.options]

    def shell(self, line):
        """Runs a line, and returns its last words if it fails. It may leave programs behind, which have its output."""
        with open(f"{self.folder}/output", "w+") as output:
            status = subprocess.run(["bash", "-c", line], env=self.environment, stdout=output, stderr=output).returncode
            output.seek(0)
            return f"'{line}' failed: {output.read()[-200:]}" if status else None

    def differences(self, words):
        """The words that the answer of `status`, of `check` or the last line of `watch` does not agree with."""
        status = subprocess.run(self.words("status", "--json"), stdout=subprocess.PIPE, text=True).stdout
        with open(f"{self.folder}/watch") as file:
            watched = file.read().rpartition("\n")[0].rpartition("\n")[2]
        self.diagnosis = json.loads(status).get("diagnosis") or {}
        found = []
        for verb, text in ("status", status), ("watch", watched):
            actual = values(json.loads(text)) if text else {}
            named = [word for word in words if not word.startswith(("passes:", "fails:", "wait="))]
            for key, _, value in (word.partition("=") for word in named):
                if actual.get(key) != value:
                    found.append(f"{verb}: {key} is {actual.get(key)}, not '{value}'")
        for word in words:
            verdict, _, requirement = word.partition(":")
            if verdict in ("passes", "fails"):
                done = subprocess.run(self.words("check", requirement), stderr=subprocess.DEVNULL)
                if done.returncode != (verdict == "fails"):
                    found.append(f"check {requirement} ends with {done.returncode}")
        return found

    def step(self, lines, words):
        failures = [failure for failure in map(self.shell, lines) if failure]
        time.sleep(next((float(word[5:]) for word in words if word.startswith("wait=")), 1.8))
        deadline = time.monotonic() + PATIENCE
        while (differences := self.differences(words)) and time.monotonic() < deadline:
            time.sleep(0.2)
        return failures + differences

    def remove(self):
        self.watch.kill()
        self.watch.wait()
        self.shell("for name in $NS ${NS}p ${NS}h; do ip netns pids $name | xargs -r kill; ip netns del $name; done")
        shutil.rmtree(self.folder)


def report(what, failures):
    print(f"not ok - {what}: {'; '.join(failures)}" if failures else f"ok - {what}", flush=True)


for number, (name, items) in enumerate(cases()):
    network, lines, step = Network(number, items), [], 0
    for item in items:
        keyword, _, rest = item.partition(" ")
        if keyword == "=":
            report(f"{name}, step {step}", network.step(lines, rest.split()))
            lines, step = [], step + 1
        elif keyword in ("sentence", "advice"):
            actual = network.diagnosis.get(keyword)
            report(f"{name}, {keyword} of step {step - 1}", [] if actual == rest else [f"'{actual}' is not '{rest}'"])
        elif keyword != "configuration":
            lines += lines_of(item)
    network.remove()
