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
  uint32_t generation; ///< what `clinux_epoll_control` was given with the descriptor
  uint32_t readiness;
};

/// epoll_ctl(2) with the descriptor and the generation as the event's data.
int clinux_epoll_control(int epoll, int operation, int descriptor, uint32_t generation, uint32_t readiness);

/// epoll_wait(2) for at most 256 events.
int clinux_epoll_wait(int epoll, struct clinux_event *events, int count, int timeout_milliseconds);

/// Has the processor fetch the functions that run when the path changes, all at once and without waiting for them. Where
/// the linker has not put them side by side (`scripts/link-order`) it does nothing.
void clinux_prefetch_hot_code(void);

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

/// socket(2) of a Unix stream socket that never waits and is closed on exec(2).
int clinux_unix_socket(void);

/// bind(2) of a Unix socket to a path; ENAMETOOLONG when it does not fit.
int clinux_unix_bind(int descriptor, const char *path);

/// connect(2) of a Unix socket to a path; ENAMETOOLONG when it does not fit.
int clinux_unix_connect(int descriptor, const char *path);

/// accept4(2) of a descriptor that never waits and is closed on exec(2).
int clinux_accept(int descriptor);

/// Who is at the other end of a Unix socket: `struct ucred`.
struct clinux_peer {
  int32_t process;
  uint32_t user;
  uint32_t group;
};

/// SO_PEERCRED.
int clinux_peer_credentials(int descriptor, struct clinux_peer *peer);

/// SO_PEERGROUPS: writes at most `count` supplementary groups of the other end. Returns how many there are, which is
/// more than `count` when they do not fit, or -1 with errno.
int clinux_peer_groups(int descriptor, uint32_t *groups, int count);

/// open(2), which is variadic, for writing a file that is made, or emptied, with the mode; with O_CLOEXEC.
int clinux_open_for_writing(const char *path, unsigned mode);

/// prctl(2) with PR_SET_CHILD_SUBREAPER: descendants whose parent ends become children of this process.
int clinux_adopt_orphans(void);

/// What happened to a child process: the part of `siginfo_t` that waitid(2) fills in.
struct clinux_child_change {
  int32_t process; ///< 0 when nothing has happened
  int32_t code;    ///< CLD_EXITED, CLD_KILLED, CLD_DUMPED, CLD_STOPPED or CLD_TRAPPED
  int32_t status;  ///< the exit status, or the number of the signal
};

/// waitid(2) for any child that has ended or stopped; never waits.
int clinux_take_child_change(struct clinux_child_change *change);

/// Whether the signal is ignored, as sigaction(2) tells in a union.
int clinux_signal_is_ignored(int signal);

/// posix_spawn_file_actions_addtcsetpgrp_np(3) of glibc 2.35: the `posix_spawn_file_actions_t` puts the process group of
/// the child into the foreground of the terminal.
int clinux_spawn_in_foreground(void *file_actions, int terminal);

/// Names the calling thread, pthread_setname_np(3); at most 15 bytes.
void clinux_name_thread(const char *name);
