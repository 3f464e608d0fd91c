// The parts of Glibc that Swift cannot import: Linux's event interfaces, and calls that need _GNU_SOURCE. The functions
// have no logic, only the calls.
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

/// A descriptor with its readiness (`EPOLLIN` …): `struct epoll_event` without its union.
struct clinux_event {
  int32_t descriptor;
  uint32_t generation; ///< what `clinux_epoll_control` was given with the descriptor
  uint32_t readiness;
};

/// epoll_ctl(2) with the descriptor and the generation as the event's data.
int clinux_epoll_control(int epoll, int operation, int descriptor, uint32_t generation, uint32_t readiness);

/// epoll_wait(2) for at most 256 events.
int clinux_epoll_wait(int epoll, struct clinux_event *events, int count, int timeout_milliseconds);

/// Changes the number of locks that the calling thread has counted, and returns the new number.
int clinux_change_locks_held(int change);

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

/// open(2) for reading with O_CLOEXEC, O_NONBLOCK and O_NOCTTY: neither a FIFO nor a lease of another process
/// (fcntl(2), F_SETLEASE) makes it wait. With O_NOFOLLOW where a symbolic link is not to be followed.
int clinux_open_without_waiting(const char *path, int follows_link);

/// open(2) of a directory, and of nothing else, with O_CLOEXEC.
int clinux_open_directory(const char *path);

/// NETLINK_GET_STRICT_CHK for the socket.
int clinux_set_strict_checking(int descriptor);

/// SO_ATTACH_FILTER with `count` classic BPF instructions of 8 bytes each (`struct sock_filter`).
int clinux_attach_filter(int descriptor, const void *instructions, unsigned short count);

/// socket(2) of a Unix stream socket that never blocks and is closed on exec(2).
int clinux_unix_socket(void);

/// bind(2) of a Unix socket to a path; ENAMETOOLONG when it does not fit.
int clinux_unix_bind(int descriptor, const char *path);

/// connect(2) of a Unix socket to a path; ENAMETOOLONG when it does not fit.
int clinux_unix_connect(int descriptor, const char *path);

/// connect(2) of a Unix socket to a path. While the listener's queue is full, the call waits for so many microseconds,
/// more than 0. It fails with EAGAIN if the queue is still full, with EINTR after a signal.
int clinux_unix_connect_waiting(int descriptor, const char *path, long microseconds);

/// Sends one datagram to the Unix socket at the path, and never waits: EAGAIN while the queue of the receiver is full.
int clinux_unix_send_datagram(const char *path, const void *bytes, size_t length);

/// SIOCOUTQ: the bytes of memory that hold sent data until the other side reads it.
int clinux_bytes_unread(int descriptor);

/// malloc_trim(3): returns free memory to the system.
void clinux_trim_memory(void);

/// accept4(2) of a descriptor that never blocks and is closed on exec(2).
int clinux_accept(int descriptor);

/// The credentials of the other end of a Unix socket: `struct ucred`.
struct clinux_peer {
  int32_t process;
  uint32_t user;
  uint32_t group;
};

/// SO_PEERCRED.
int clinux_peer_credentials(int descriptor, struct clinux_peer *peer);

/// SO_PEERGROUPS: writes at most `count` supplementary groups of the other end. Returns the number of its groups, which
/// is more than `count` when they do not fit, or -1 with errno.
int clinux_peer_groups(int descriptor, uint32_t *groups, int count);

/// Sets the mode of the socket at the path; EEXIST for anything but a socket of this user, such as a link.
int clinux_unix_set_mode(const char *path, unsigned mode);

/// open(2), which is variadic, of a new file with the mode, for writing and with O_CLOEXEC; EEXIST when the path
/// exists.
int clinux_make_file(const char *path, unsigned mode);

/// open(2), which is variadic, for writing without truncation; the file is made with the mode if there is none. A
/// symbolic link is not followed.
int clinux_open_in_place(const char *path, unsigned mode);

/// fcntl(2), which is variadic: locks a whole file that is open for writing, for as long as this opening of it lasts;
/// EAGAIN when another opening has the lock.
int clinux_lock_for_writing(int descriptor);

/// Gives that lock back at once, although a copy of the descriptor may be open in a child.
int clinux_unlock(int descriptor);

/// The number of arguments of main(), including the program's name. It comes from glibc, because procfs need not be
/// mounted.
int clinux_argument_count(void);

/// An argument of main(); NULL when there are fewer.
const char *clinux_argument(int position);

/// secure_getenv(3): NULL also in a process with more rights than the user who started it, such as a setuid program.
const char *clinux_environment_value(const char *name);

/// Opens the null device for each closed descriptor of 0, 1 and 2, so that no file or socket gets its number. Reading
/// from 0 and writing to 1 and 2 still fail with EBADF. Returns -1 with errno on failure.
int clinux_open_standard_descriptors(void);

/// prctl(2) with PR_SET_CHILD_SUBREAPER: descendants whose parent ends become children of this process.
int clinux_adopt_orphans(void);

/// Whether this process has a child, be it one that has ended and is not reaped yet.
int clinux_has_children(void);

/// A change of a child process: the part of `siginfo_t` that waitid(2) fills in.
struct clinux_child_change {
  int32_t process; ///< 0 when nothing has happened
  int32_t code;    ///< CLD_EXITED, CLD_KILLED, CLD_DUMPED, CLD_STOPPED or CLD_TRAPPED
  int32_t status;  ///< the exit status, or the number of the signal
};

/// waitid(2) for any child that has ended or stopped; never waits.
int clinux_take_child_change(struct clinux_child_change *change);

/// Opens a file for reading as another user, in a child process. Returns 0 if that works, the errno if it does not, and
/// -1 if this process may not act as that user.
int clinux_open_error_of_user(const char *path, uint32_t user, const uint32_t *groups, size_t count);

/// Whether the signal is ignored, which sigaction(2) reports in a union.
int clinux_signal_is_ignored(int signal);

/// posix_spawn_file_actions_addtcsetpgrp_np(3) of glibc 2.35: the `posix_spawn_file_actions_t` puts the process group
/// of the child into the foreground of the terminal.
int clinux_spawn_in_foreground(void *file_actions, int terminal);

/// Names the calling thread, pthread_setname_np(3); at most 15 bytes.
void clinux_name_thread(const char *name);
