"""The delay, the rate and the loss of a link to a server, by TCP (a proxy) or by datagrams (netem).

measure.py serve ADDRESS PORT [PORT...]      answers both kinds at these ports until it is killed
measure.py stream ADDRESS PORT SECONDS       prints "ROUND-TRIP-MS DOWN-KBIT UP-KBIT"
measure.py datagrams ADDRESS PORT SECONDS DOWN-KBIT UP-KBIT SIZE COUNT PER-SECOND
                                             prints "DOWN-KBIT UP-KBIT DOWN-LOSS UP-LOSS", the losses in percent: it
                                             sends packets of the size at 1.5 times the rates, and so many small ones in
                                             each direction
measure.py delay ADDRESS PORT                prints the delay of datagrams in milliseconds, from here to the cable
measure.py echo ADDRESS PORT [COUNT]         prints the round trip of datagrams in milliseconds, or "none"

The delay is that between two timestamps of the kernel: when a packet gets to netem, and when it goes on to the cable.
So neither programs nor the network stack of a slow machine take part. It is the least of many, because netem delays
each packet equally, and a busy machine is late with its timers.

Only modules of a minimal Python: it also runs in a virtual machine.
"""

import os
import select
import socket
import struct
import sys
import time

# The queue of the kernel before the link: a large one would take an upload at once.
SOCKET_BUFFER = 32_768


def median(values):
    return sorted(values)[len(values) // 2]


def exactly(connection, count):
    data = b""
    while len(data) < count:
        more = connection.recv(count - len(data))
        if not more:
            raise EOFError("the server ended the connection")
        data += more
    return data


# MARK: Streams


def take(connection, seconds):
    """Receives for so long after the first bytes; kilobits in a second."""
    connection.recv(65536)
    first = last = time.monotonic()
    count = 0
    while last - first < seconds:
        data = connection.recv(65536)
        if not data:
            break
        last = time.monotonic()
        count += len(data)
    return count * 8 / 1000 / (last - first)


def give(connection, seconds):
    """Sends for so long, or until the other side has had enough."""
    block = bytes(4096)
    end = time.monotonic() + seconds
    try:
        while time.monotonic() < end:
            connection.send(block)
    except OSError:
        pass


def serve_stream(connection):
    order, seconds = struct.unpack("!cd", exactly(connection, 9))
    if order == b"e":
        while data := connection.recv(64):
            connection.sendall(data)
    elif order == b"d":
        give(connection, seconds + 30)
    elif order == b"u":
        connection.sendall(struct.pack("!d", take(connection, seconds)))
        # Closing before everything is read would reset the connection, and the result with it.
        while connection.recv(65536):
            pass


def open_stream(address, port, order, seconds):
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SOCKET_BUFFER)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    connection.connect((address, port))
    connection.sendall(struct.pack("!cd", order, seconds))
    return connection


def stream(address, port, seconds):
    connection = open_stream(address, port, b"e", 0)
    times = []
    for number in range(11):
        before = time.monotonic()
        connection.sendall(b"x")
        exactly(connection, 1)
        times.append((time.monotonic() - before) * 1000)
    connection.close()
    connection = open_stream(address, port, b"d", seconds)
    down = take(connection, seconds)
    connection.close()
    connection = open_stream(address, port, b"u", seconds)
    connection.settimeout(1)
    block, result = bytes(4096), b""
    while len(result) < 8:
        readable, writable, _ = select.select([connection], [connection], [], 30)
        if readable:
            more = connection.recv(8)
            if not more:
                raise EOFError("the server ended the connection")
            result += more
        elif writable:
            connection.send(block)
    connection.close()
    # The first round trip has also made the connection.
    print(f"{median(times[1:]):.2f} {down:.1f} {struct.unpack('!d', result)[0]:.1f}")


# MARK: Datagrams: an order of a letter, a number of packets, their size, and the kilobits in a second


def send_paced(channel, address, count, size, kilobits):
    start, sent = time.monotonic(), 0
    while sent < count:
        due = int((time.monotonic() - start) * kilobits * 1000 / 8 / size) + 1
        while sent < min(due, count):
            channel.sendto(struct.pack("!cI", b"p", sent) + bytes(size - 5), address)
            sent += 1
        time.sleep(0.001)


class Arrivals:
    """The packets that arrive until none has come for three seconds."""

    def __init__(self):
        self.first = self.last = None
        self.count = self.bytes = 0

    def add(self, size):
        self.last = time.monotonic()
        if self.first is None:
            self.first = self.last
        else:
            self.bytes += size
        self.count += 1

    @property
    def kilobits(self):
        return self.bytes * 8 / 1000 / (self.last - self.first) if self.count > 1 else 0


def receive_packets(channel, patience):
    arrivals = Arrivals()
    while True:
        readable, _, _ = select.select([channel], [], [], 3 if arrivals.count else patience)
        if not readable:
            return arrivals
        arrivals.add(len(channel.recv(65536)))


def serve_datagrams(channel):
    arrivals = Arrivals()
    while True:
        data, client = channel.recvfrom(65536)
        if data[:1] == b"e":
            channel.sendto(data, client)
        elif data[:1] == b"p":
            arrivals.add(len(data))
        elif data[:1] == b"s":
            # Several copies of an order may arrive; the first one begins.
            number, count, size, kilobits = struct.unpack("!cIIId", data)[1:]
            if number != serve_datagrams.served:
                serve_datagrams.served = number
                send_paced(channel, client, count, size, kilobits)
        elif data[:1] == b"r":
            channel.sendto(struct.pack("!cId", b"r", arrivals.count, arrivals.kilobits), client)
        elif data[:1] == b"0":
            arrivals = Arrivals()
            channel.sendto(data, client)


serve_datagrams.served = None


def ask(channel, data, patience=4):
    """The answer to a small order, which is repeated until one comes."""
    for _ in range(20):
        channel.send(data)
        end = time.monotonic() + patience
        while (rest := end - time.monotonic()) > 0 and select.select([channel], [], [], rest)[0]:
            answer = channel.recv(65536)
            if answer[:1] == data[:1]:
                return answer
    raise TimeoutError("the server does not answer")


def datagram_socket():
    """A socket whose queue has room while others use the processors: SO_RCVBUFFORCE, for root alone."""
    channel = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    if os.geteuid() == 0:
        channel.setsockopt(socket.SOL_SOCKET, 33, 16_000_000)
    return channel


def open_datagrams(address, port):
    channel = datagram_socket()
    channel.connect((address, port))
    return channel


def echoes(channel, count, patience):
    times = []
    for number in range(count):
        data = struct.pack("!cI", b"e", number)
        before = time.monotonic()
        channel.send(data)
        while (rest := before + patience - time.monotonic()) > 0 and select.select([channel], [], [], rest)[0]:
            if channel.recv(64) == data:
                times.append((time.monotonic() - before) * 1000)
                break
    return times


def download(channel, count, size, kilobits):
    number = int.from_bytes(os.urandom(4), "big")
    for _ in range(10):
        channel.send(struct.pack("!cIIId", b"s", number, count, size, kilobits))
        arrivals = receive_packets(channel, 5)
        if arrivals.count:
            return arrivals
    raise TimeoutError("the server sends nothing")


def upload(channel, count, size, kilobits):
    ask(channel, b"0")
    send_paced(channel, channel.getpeername(), count, size, kilobits)
    time.sleep(4)
    return struct.unpack("!cId", ask(channel, b"r"))[1:]


def datagrams(address, port, seconds, down, up, size, count, per_second):
    channel = open_datagrams(address, port)
    rates = []
    kilobits = per_second * 64 * 8 / 1000
    arrived = download(channel, count, 64, kilobits).count, upload(channel, count, 64, kilobits)[0]
    rates.append(download(channel, int(seconds * down * 1500 / 8 / size) + 8, size, down * 1.5).kilobits)
    rates.append(upload(channel, int(seconds * up * 1500 / 8 / size) + 8, size, up * 1.5)[1])
    losses = [100 - number * 100 / count for number in arrived]
    print(f"{rates[0]:.1f} {rates[1]:.1f} {losses[0]:.2f} {losses[1]:.2f}")


# MARK: Delays by timestamps of the kernel (Documentation/networking/timestamping.rst)

SO_TIMESTAMPING, SCM_TIMESTAMPING, IP_RECVERR, MSG_ERRQUEUE = 37, 37, 11, 0x2000
# Software timestamps before the queue (TX_SCHED) and behind it (TX_SOFTWARE), with the number of the packet and without
# the packet: OPT_ID, OPT_TSONLY, SOFTWARE.
TIMESTAMPS = 1 << 8 | 1 << 1 | 1 << 7 | 1 << 11 | 1 << 4
BEHIND_QUEUE, BEFORE_QUEUE = 0, 1


def read_timestamps(channel, packets):
    """Adds the timestamps that have come: the number of a packet -> place -> seconds."""
    while True:
        try:
            _, messages, _, _ = channel.recvmsg(0, 512, MSG_ERRQUEUE | socket.MSG_DONTWAIT)
        except BlockingIOError:
            return
        data = {(level, kind): content for level, kind, content in messages}
        seconds, nanoseconds = struct.unpack_from("@qq", data[socket.SOL_SOCKET, SCM_TIMESTAMPING])
        place, number = struct.unpack_from("@8xII", data[socket.IPPROTO_IP, IP_RECVERR])
        packets.setdefault(number, {})[place] = seconds + nanoseconds / 1e9


def delays(address, port, count, pause, patience):
    """The delays of packets in milliseconds, without those that are lost."""
    channel = datagram_socket()
    channel.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPING, TIMESTAMPS)
    packets = {}
    for _ in range(count):
        # So many bytes as an echo has.
        channel.sendto(bytes(5), (address, port))
        time.sleep(pause)
        read_timestamps(channel, packets)
    end = time.monotonic() + patience
    while time.monotonic() < end and any(len(places) < 2 for places in packets.values()):
        time.sleep(pause)
        read_timestamps(channel, packets)
    return [(p[BEHIND_QUEUE] - p[BEFORE_QUEUE]) * 1000 for p in packets.values() if len(p) == 2]


def delay(address, port):
    print(f"{min(delays(address, port, 60, 0.03, 2)):.2f}")


def echo(address, port, count=3):
    times = echoes(open_datagrams(address, port), count, 5)
    print(f"{min(times):.2f}" if times else "none")


# MARK: The server


def serve(address, ports):
    for port in ports:
        listener = socket.create_server((address, port))
        channel = datagram_socket()
        channel.bind((address, port))
        if os.fork() == 0:
            serve_datagrams(channel)
        if os.fork() == 0:
            while True:
                connection = listener.accept()[0]
                if os.fork() == 0:
                    try:
                        serve_stream(connection)
                    except (OSError, EOFError):
                        pass
                    os._exit(0)
                connection.close()
    print("serving", flush=True)
    while True:
        time.sleep(3600)


def main():
    verb, address, *rest = sys.argv[1:]
    if verb == "serve":
        serve(address, [int(port) for port in rest])
    elif verb == "stream":
        stream(address, int(rest[0]), float(rest[1]))
    elif verb == "datagrams":
        datagrams(address, int(rest[0]), *map(float, rest[1:4]), *map(int, rest[4:7]))
    elif verb == "delay":
        delay(address, int(rest[0]))
    elif verb == "echo":
        echo(address, *map(int, rest))


main()
