#!/usr/bin/env python3
"""A collector of metrics, polite or not: collect.py SOCKET ask | storm COUNT | hold COUNT

ask prints the value of PathSatisfied. storm connects so often and goes away at once, and prints how long that took in
tenths of a second. hold keeps so many connections until its input ends, and says when all of them have tried to get in.
"""
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
    # The Python of the VM has no reader for JSON.
    rest = b""
    try:
        with connect() as client:
            client.sendall(b'{"method":"io.systemd.Metrics.List","more":true}\0')
            while not rest.endswith(b"\0") or b'"continues":true' in rest.split(b"\0")[-2]:
                piece = client.recv(65536)
                if not piece:
                    sys.exit("the connection has ended")
                rest += piece
    except (BrokenPipeError, ConnectionResetError):
        sys.exit("the connection has ended")
    for frame in rest.split(b"\0"):
        if b'"name":"io.pathmonitor.PathMonitor.PathSatisfied"' in frame:
            print(frame.split(b'"value":')[1].split(b",")[0].split(b"}")[0].decode())
            break
    else:
        print(rest)
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
