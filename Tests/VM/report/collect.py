#!/usr/bin/env python3
"""A collector of metrics, polite or not: collect.py SOCKET ask | storm COUNT | hold COUNT

ask prints the value of PathSatisfied. storm connects so often and goes away at once, and prints how long that took in
tenths of a second. hold keeps so many connections until its input ends, and says when all of them have tried to get in.
"""
import json
import socket
import sys
import time

path, verb = sys.argv[1:3]


def connect():
    client = socket.socket(socket.AF_UNIX)
    client.connect(path)
    client.settimeout(60)
    return client


if verb == "ask":
    with connect() as client:
        client.sendall(json.dumps({"method": "io.systemd.Metrics.List", "more": True}).encode() + b"\0")
        rest = b""
        while True:
            piece = client.recv(65536)
            if not piece:
                sys.exit("the connection has ended")
            rest += piece
            replies = [json.loads(frame) for frame in rest.split(b"\0")[:-1]]
            if rest.endswith(b"\0") and not replies[-1].get("continues"):
                break
    values = {reply["parameters"].get("name"): reply["parameters"].get("value") for reply in replies}
    print(values.get("io.pathmonitor.PathMonitor.PathSatisfied", replies))
elif verb == "storm":
    start = time.monotonic()
    for _ in range(int(sys.argv[3])):
        try:
            connect().close()
        except OSError as error:
            sys.exit(f"cannot connect: {error}")
    print(int((time.monotonic() - start) * 10))
else:
    held = [connect() for _ in range(int(sys.argv[3]))]
    print("held", flush=True)
    sys.stdin.read()
