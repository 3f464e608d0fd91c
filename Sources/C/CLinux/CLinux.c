#define _GNU_SOURCE
#include "CLinux.h"

#include <fcntl.h>
#include <linux/filter.h>
#include <string.h>
#include <pthread.h>

#ifndef SOL_NETLINK
#define SOL_NETLINK 270
#endif
#ifndef NETLINK_GET_STRICT_CHK
#define NETLINK_GET_STRICT_CHK 12
#endif

enum { MAXIMUM_EVENTS = 256, MAXIMUM_DATAGRAMS = 64 };

int clinux_epoll_control(int epoll, int operation, int descriptor, uint32_t generation, uint32_t readiness) {
  uint64_t data = (uint32_t)descriptor | (uint64_t)generation << 32;
  struct epoll_event event = {.events = readiness, .data.u64 = data};
  return epoll_ctl(epoll, operation, descriptor, &event);
}

int clinux_epoll_wait(int epoll, struct clinux_event *events, int count, int timeout_milliseconds) {
  struct epoll_event ready[MAXIMUM_EVENTS];
  if (count > MAXIMUM_EVENTS) count = MAXIMUM_EVENTS;
  int arrived = epoll_wait(epoll, ready, count, timeout_milliseconds);
  for (int i = 0; i < arrived; i++)
    events[i] = (struct clinux_event){(int32_t)ready[i].data.u64, ready[i].data.u64 >> 32, ready[i].events};
  return arrived;
}

int clinux_receive_datagrams(int descriptor, void *buffer, size_t stride, unsigned count,
                             struct clinux_datagram *datagrams) {
  if (count == 0) return 0;
  if (count > MAXIMUM_DATAGRAMS) count = MAXIMUM_DATAGRAMS;
  // The arrays have no unused elements, so they lie close together and touch little memory.
  struct mmsghdr headers[count];
  struct iovec slots[count];
  struct sockaddr_nl senders[count];
  for (unsigned i = 0; i < count; i++) {
    slots[i] = (struct iovec){(char *)buffer + i * stride, stride};
    headers[i].msg_hdr = (struct msghdr){
        .msg_iov = &slots[i], .msg_iovlen = 1, .msg_name = &senders[i], .msg_namelen = sizeof senders[i]};
  }
  int received = recvmmsg(descriptor, headers, count, MSG_DONTWAIT, NULL);
  for (int i = 0; i < received; i++)
    datagrams[i] = (struct clinux_datagram){headers[i].msg_len, senders[i].nl_pid, headers[i].msg_hdr.msg_flags};
  return received;
}

int clinux_open_for_reading(const char *path) { return open(path, O_RDONLY | O_CLOEXEC); }

int clinux_open_without_waiting(const char *path, int follows_link) {
  return open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | (follows_link ? 0 : O_NOFOLLOW));
}

int clinux_open_in_place(const char *path, unsigned mode) {
  return open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW, mode);
}

int clinux_lock_for_writing(int descriptor) {
  struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  return fcntl(descriptor, F_OFD_SETLK, &lock);
}

int clinux_unlock(int descriptor) {
  struct flock lock = {.l_type = F_UNLCK, .l_whence = SEEK_SET};
  return fcntl(descriptor, F_OFD_SETLK, &lock);
}

int clinux_open_directory(const char *path) { return open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_DIRECTORY); }

int clinux_set_strict_checking(int descriptor) {
  int on = 1;
  return setsockopt(descriptor, SOL_NETLINK, NETLINK_GET_STRICT_CHK, &on, sizeof on);
}

int clinux_attach_filter(int descriptor, const void *instructions, unsigned short count) {
  struct sock_fprog program = {count, (struct sock_filter *)instructions};
  return setsockopt(descriptor, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof program);
}

void clinux_name_thread(const char *name) {
  pthread_setname_np(pthread_self(), name);
}
