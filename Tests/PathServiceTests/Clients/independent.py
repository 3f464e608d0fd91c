"""Asks for everything that io.pathmonitor.PathMonitor offers, through an independent implementation of varlink.

It prints a word when the machine is to change, and goes on when it hears of the change.
"""

import sys

import varlink

NAME = "io.pathmonitor.PathMonitor"


def check(condition, what):
    if not condition:
        sys.exit(f"not as expected: {what}")


def fails(error, parameters, call):
    """The call fails with the typed error."""
    try:
        call()
    except varlink.VarlinkError as raised:
        check(raised.error() == error, f"{raised.error()} instead of {error}")
        found = raised.parameters()
        for key, value in parameters.items():
            check(found.get(key) == value, f"{error}: {key} is {found.get(key)!r} instead of {value!r}")
        return raised
    sys.exit(f"not as expected: no {error}")


client = varlink.Client("unix:" + sys.argv[1])
check(NAME in client.get_interfaces(), "the list of interfaces")
check(client.info["product"] == "pathmonitord", client.info)
check(client.info["version"] and client.info["vendor"] == "PathMonitor developers", client.info)
check(client.info["url"] == "file:///usr/share/doc/pathmonitor/", client.info)
for name in client.info["interfaces"]:
    description = client.get_interface(name)
    check(description.name == name, description.name)
interface = client.get_interface(NAME)
methods = [name for name in interface.members if hasattr(interface.members[name], "out_type")]
check(len(methods) == 11, methods)
fails("org.varlink.service.InterfaceNotFound", {"interface": "a.b"}, lambda: client.get_interface("a.b"))

service = client.open(NAME)
path = service.GetPath()["path"]
check(path["status"] == "satisfied" and path["knowledge"] == "known", path)
check(path["interfaces"][0]["name"] == "eth0" and path["interfaceType"] == "wiredEthernet", path)
check(path["gateways"] == ["192.0.2.1"] and path["changed"] == [], path)
check("unsatisfiedReason" not in path, path)
refused = service.GetPath("wifi")["path"]
check(refused["status"] == "unsatisfied" and refused["unsatisfiedReason"] == "requirementNotMet", refused)

check(service.WaitForPath(requirement="ethernet", timeoutMilliseconds=1000)["path"]["status"] == "satisfied", "wait")
check([found["name"] for found in service.ListInterfaces()["interfaces"]] == ["eth0"], "interfaces")
explained = service.Explain("wifi")
check(explained["path"] and explained["steps"][-1] == "requirement wifi: not met", explained)
check(service.GetRoute("198.51.100.1")["path"]["interfaces"][0]["name"] == "eth0", "route")
# The library loses named arguments behind positional ones.
service.SetOverride(field="isExpensive", value="true", seconds=60, why="a test")
overridden = service.GetPath()["path"]["overrides"]
check(overridden == ['metered, set by root ("a test")'], overridden)
service.ClearOverride()
check(service.GetPath()["path"]["overrides"] == [], "no overrides")
verdict = {"state": "validated", "since": None, "portal": None, "announced": None, "evidence": []}
service.ReportValidation(interface="eth0", gateways=["192.0.2.1"], begun=None, validation=verdict)
check(service.GetPath()["path"]["validation"]["state"] == "validated", "the report")
fails(NAME + ".AnotherPath", {"interface": "eth0"}, lambda: service.ReportValidation("wlan0", [], None, verdict))
service.RenewValidation()
health = service.GetHealth()
check(health["health"]["connections"] >= 1 and health["notes"] == [], health)

fails(NAME + ".InvalidRequirement", {"text": "type=x", "position": 5}, lambda: service.GetPath("type=x"))
late = fails(NAME + ".TimedOut", {}, lambda: service.WaitForPath("wifi", 0))
check(late.parameters()["path"]["status"] == "unsatisfied", late)
fails(NAME + ".NoSuchInterface", {"name": "wan0"}, lambda: service.SetOverride("status", "unsatisfied", "wan0"))
fails(NAME + ".InvalidDestination", {"destination": "x"}, lambda: service.GetRoute("x"))
fails("org.varlink.service.InvalidParameter", {"parameter": "field"}, lambda: service.SetOverride("x", "y"))
fails("org.varlink.service.ExpectedMore", {}, lambda: service.WatchPath())
service.GetPath(_oneway=True)
check(service.GetPath()["path"]["status"] == "satisfied", "the path after a call without a reply")

watch = client.open(NAME).WatchPath(_more=True, settleMilliseconds=0)
told = [next(watch)["path"]]
for word in ["cut", "restore", "cut"]:
    print(word, flush=True)
    told.append(next(watch)["path"])
    check("status" in told[-1]["changed"], told[-1])
check([one["sequence"] for one in told] == [0, 1, 2, 3], told)
check([one["status"] for one in told] == ["satisfied", "unsatisfied"] * 2, told)
print("done", flush=True)
