"""A VPN's end: tunnel.py ADDRESS. Makes the interface tun0, and sends each packet that enters it to UDP port 9 of the
address, but for those of the kernel's own. Nothing ever comes back. Prints "ready"."""

import fcntl
import os
import socket
import struct
import sys

tun = os.open("/dev/net/tun", os.O_RDWR)
# TUNSETIFF with IFF_TUN and IFF_NO_PI.
fcntl.ioctl(tun, 0x400454CA, struct.pack("16sH", b"tun0", 0x1001))
out = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
print("ready", flush=True)
while True:
    packet = os.read(tun, 4096)
    if packet[0] >> 4 == 4 and packet[9] != 2 or packet[0] >> 4 == 6 and packet[6] not in (0, 58):
        out.sendto(packet, (sys.argv[1], 9))
