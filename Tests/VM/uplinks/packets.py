"""What packets do, for the job's checks.

packets.py leaves ADDRESS [DEVICE]   connects (TCP, without waiting), and prints the error or "SOURCE over INTERFACE..."
packets.py advertise LINK SECONDS    sends router advertisements for 2001:db8:NUMBER::/64 each second; LINK's name gives
                                     the NUMBER
"""
import errno
import select
import socket
import struct
import sys
import time

BINDTODEVICE = 25
OUTGOING = 4
TCP = 6


def family_of(address):
    return socket.AF_INET6 if ":" in address else socket.AF_INET


def capture():
    """A socket that sees every frame of the namespace."""
    watch = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(3))
    watch.setblocking(False)
    return watch


def is_segment_to(packet, address):
    """Whether the packet is TCP to the address."""
    wanted = socket.inet_pton(family_of(address), address)
    if packet[0] >> 4 == 4:
        return packet[9] == TCP and packet[16:20] == wanted
    return packet[0] >> 4 == 6 and packet[6] == TCP and packet[24:40] == wanted


def leaves(address, device=None):
    """Connects, and says by which interfaces the first segment left."""
    watch = capture()
    connection = socket.socket(family_of(address), socket.SOCK_STREAM)
    connection.setblocking(False)
    if device:
        connection.setsockopt(socket.SOL_SOCKET, BINDTODEVICE, device.encode() + b"\0")
    status = connection.connect_ex((address, 443))
    if status != errno.EINPROGRESS:
        return errno.errorcode[status]
    source = connection.getsockname()[0]
    seen = []
    deadline = time.monotonic() + 1
    while time.monotonic() < deadline and not seen:
        select.select([watch], [], [], 0.1)
        while True:
            try:
                packet, where = watch.recvfrom(2048)
            except BlockingIOError:
                break
            if where[2] == OUTGOING and packet and is_segment_to(packet, address):
                seen.append(where[0])
    return f"{source} over {' '.join(dict.fromkeys(seen)) or 'nothing'}"


def advertise(link, seconds):
    """Sends router advertisements with a prefix and a lifetime of 30 minutes."""
    number = int("".join(filter(str.isdigit, link)) or 0)
    sender = socket.socket(socket.AF_INET6, socket.SOCK_RAW, socket.IPPROTO_ICMPV6)
    sender.setsockopt(socket.SOL_SOCKET, BINDTODEVICE, link.encode() + b"\0")
    sender.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_HOPS, 255)
    prefix = socket.inet_pton(socket.AF_INET6, f"2001:db8:{number}::")
    header = struct.pack("!BBHBBHII", 134, 0, 0, 64, 0, 1800, 0, 0)
    option = struct.pack("!BBBBIII", 3, 4, 64, 0xC0, 3600, 1800, 0) + prefix
    deadline = time.monotonic() + float(seconds)
    while time.monotonic() < deadline:
        try:
            sender.sendto(header + option, ("ff02::1", 0, 0, socket.if_nametoindex(link)))
        except OSError:
            pass
        time.sleep(1)


if sys.argv[1] == "leaves":
    print(leaves(*sys.argv[2:]))
else:
    advertise(*sys.argv[2:])
