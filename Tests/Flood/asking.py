"""Clients who ask again and again while others flood, each in a process of its own, and how long they wait."""
import collections, json, os, socket, struct, time

GET_PATH = {"method": "io.pathmonitor.PathMonitor.GetPath"}
# Seconds.
PATIENCE = 10
# The worst wait in seconds, and how many questions were answered and how many not.
Result = collections.namedtuple("Result", "worst answered failed")


def frame(call):
    return json.dumps(call).encode() + b"\0"


def asks(path):
    """Connects, asks for the path, and goes; whether the path was answered."""
    client = socket.socket(socket.AF_UNIX)
    # As pathctl does: connect(2) waits where the queue of the listener is full, but not for ever.
    limit = struct.pack("ll", PATIENCE, 0)
    for option in (socket.SO_SNDTIMEO, socket.SO_RCVTIMEO): client.setsockopt(socket.SOL_SOCKET, option, limit)
    try:
        client.connect(path)
        client.sendall(frame(GET_PATH))
        reply = b""
        while not reply.endswith(b"\0"):
            piece = client.recv(1 << 20)
            if not piece: return False
            reply += piece
        return b'"error"' not in reply[:60]
    except OSError:
        return False
    finally:
        client.close()


class Prober:
    """A process of the user that asks until the end. It has a share of the processors like the service or like others:
    its wait for a processor, among those who flood, would be taken for the service's."""
    def __init__(self, path, user, end, slices):
        self.read, write = os.pipe()
        self.child = os.fork()
        if self.child: return os.close(write)
        try:
            slices.put(os.getpid(), "other" if user else "service")
            if user:
                os.setgid(user)
                os.setuid(user)
            waits, failed = [], 0
            while time.monotonic() < end:
                begun = time.monotonic()
                if asks(path): waits.append(time.monotonic() - begun)
                else: failed += 1
                time.sleep(0.02)
            os.write(write, json.dumps([max(waits or [99]), len(waits), failed]).encode())
        finally:
            os._exit(0)

    def result(self):
        """Waits for the end."""
        with open(self.read, "rb") as file: result = file.read()
        os.waitpid(self.child, 0)
        return Result(*json.loads(result or b"[99, 0, 1]"))
