"""What a service has to bear that is no call: messages of the kernel, changes that concern thousands of subscribers,
and subscribers that do not read."""
import contextlib, json, os, select, socket, subprocess, time

import asking

INTERFACE = "io.pathmonitor.PathMonitor."
FIRST_USER = 60000
WATCH = {"method": INTERFACE + "WatchPath", "parameters": {"settleMilliseconds": 0}, "more": True}
# The addresses of one interface.
ADDRESSES = 5_000


def member(path, user, count, reads, ready, stop, result):
    """A process of the user with so many connections. In the end it tells how many of them are still there."""
    os.setgid(user)
    os.setuid(user)
    clients = []
    for _ in range(count):
        client = socket.socket(socket.AF_UNIX)
        client.connect(path)
        client.sendall(asking.frame(WATCH))
        client.setblocking(False)
        clients.append(client)
    os.write(ready, b"1")
    poll = select.epoll()
    poll.register(stop)
    open_clients = {client.fileno(): client for client in clients}
    if reads:
        for number in open_clients: poll.register(number, select.EPOLLIN)
    while True:
        events = poll.poll()
        if any(number == stop for number, _ in events): break
        for number, _ in events:
            with contextlib.suppress(BlockingIOError):
                if not open_clients[number].recv(1 << 16):
                    poll.unregister(number)
                    del open_clients[number]
    left = 0
    for client in open_clients.values():
        # A client that was ended finds the end, maybe behind replies and an error.
        end = False
        try:
            while not end: end = not client.recv(1 << 20)
        except BlockingIOError: pass
        except ConnectionResetError: end = True
        left += not end
    os.write(result, left.to_bytes(4, "little"))
    os._exit(0)


@contextlib.contextmanager
def crowd(path, slices, users, each, reads=True):
    """Subscribers of several users, which all are there before it begins; yields a function that ends them, and returns
    how many were still there."""
    ready, started = os.pipe()
    stop, go = os.pipe()
    results, result = os.pipe()
    children = []
    for number in range(users):
        child = os.fork()
        if child == 0:
            # Or the end of the pipe would never come.
            os.close(go)
            try:
                slices.put(os.getpid(), "users")
                member(path, FIRST_USER + number, each, reads, started, stop, result)
            finally:
                os._exit(1)
        children.append(child)
    os.close(started)
    os.close(result)
    there = 0
    while there < users:
        piece = os.read(ready, users)
        if not piece: raise SystemExit("storms: the crowd did not get in")
        there += len(piece)
    left = []

    def end():
        if not left:
            os.close(go)
            data = b""
            while len(data) < 4 * users and (piece := os.read(results, 4 * users)): data += piece
            if len(data) < 4 * users: raise SystemExit("storms: processes of the crowd failed")
            left.append(sum(int.from_bytes(data[n:n + 4], "little") for n in range(0, len(data), 4)))
        return left[0]

    try:
        yield end
    finally:
        end()
        for child in children: os.waitpid(child, 0)
        for descriptor in (ready, stop, results): os.close(descriptor)


@contextlib.contextmanager
def repeated(daemon, lines):
    """ip(8) runs the lines again and again; yields a function that returns how often it has."""
    text = "\n".join(lines) + "\n"
    source, sink = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(source)
        os.set_blocking(sink, False)
        daemon.slices.put(os.getpid(), "other")
        while os.getppid() != 1:
            subprocess.run(["ip", "-n", daemon.namespace, "-force", "-batch", "-"], input=text, text=True,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            with contextlib.suppress(BlockingIOError): os.write(sink, b"1")
        os._exit(0)
    os.close(sink)
    os.set_blocking(source, False)
    try:
        yield lambda: len(os.read(source, 1 << 16)) * len(lines)
    finally:
        os.kill(child, 9)
        os.waitpid(child, 0)
        os.close(source)


class Storm:
    def __init__(self, name, connections, users, run):
        self.name, self.connections, self.users, self.run = name, connections, users, run


def all_of(daemon):
    """The storms, worst ones last."""
    def address(number): return f"10.{100 + (number >> 16)}.{number >> 8 & 255}.{number & 255}/32 dev a1"

    @contextlib.contextmanager
    def messages():
        # The interface that carries nothing, so that no subscriber is told anything.
        batch = "\n".join("address add " + address(number) for number in range(ADDRESSES))
        subprocess.run(["ip", "-n", daemon.namespace, "-batch", "-"], input=batch, text=True, check=True)
        try:
            changes = [f"address {verb} {address(ADDRESSES + number)}" for number in range(2_000) for verb in ("add", "del")]
            with repeated(daemon, changes) as count: yield count
        finally:
            daemon.ip("address flush dev a1")

    @contextlib.contextmanager
    def rules():
        # All users of the crowd belong to another class, and back.
        lines = [f"rule {verb} pref 100 uidrange {FIRST_USER}-{FIRST_USER + 15} lookup main" for verb in ("add", "del")]
        with crowd(daemon.socket, daemon.slices, 15, 1_000), repeated(daemon, lines) as count: yield count

    @contextlib.contextmanager
    def slow():
        with crowd(daemon.socket, daemon.slices, 15, 1_000, reads=False) as end:
            def left():
                if end() != 15_000: raise SystemExit(f"storms: {15_000 - end()} subscribers that do not read were ended")
                return 15_000
            yield left

    return [Storm("messages", 0, 1, messages), Storm("rules", 15_000, 15, rules), Storm("slow", 15_000, 15, slow)]
