// What Swift cannot import from Glibc: Linux's event interfaces, and calls that need _GNU_SOURCE.
// No logic here, only the calls.
#pragma once
#include <linux/netlink.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>

/// A descriptor and what it is ready for (`EPOLLIN` …): `struct epoll_event` without its union.
struct clinux_event {
  int32_t descriptor;
  uint32_t readiness;
};

/// epoll_ctl(2) with the descriptor as the event's data.
int clinux_epoll_control(int epoll, int operation, int descriptor, uint32_t readiness);

/// epoll_wait(2) for at most 64 events.
int clinux_epoll_wait(int epoll, struct clinux_event *events, int count, int timeout_milliseconds);

/// One datagram of `clinux_receive_datagrams`.
struct clinux_datagram {
  uint32_t length;      ///< bytes received
  uint32_t sender_port; ///< netlink port of the sender; 0 is the kernel
  int32_t flags;        ///< `msg_flags`: MSG_TRUNC when the slot was too small
};

/// recvmmsg(2) into `count` (at most 64) slots of `stride` bytes from `buffer` on; never waits.
/// Returns the number of datagrams, or -1 with errno.
int clinux_receive_datagrams(int descriptor, void *buffer, size_t stride, unsigned count,
                             struct clinux_datagram *datagrams);

/// open(2), which is variadic, for reading, with O_CLOEXEC.
int clinux_open_for_reading(const char *path);

/// setns(2) into the network namespace of the descriptor; of the calling thread only.
int clinux_enter_network_namespace(int descriptor);

/// NETLINK_GET_STRICT_CHK for the socket.
int clinux_set_strict_checking(int descriptor);

/// SO_ATTACH_FILTER with `count` classic BPF instructions of 8 bytes each (`struct sock_filter`).
int clinux_attach_filter(int descriptor, const void *instructions, unsigned short count);
