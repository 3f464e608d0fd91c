#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <linux/sockios.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#ifndef SO_PEERGROUPS
#define SO_PEERGROUPS 59
#endif

static int fill(struct sockaddr_un *address, const char *path) {
  // An empty path would be an abstract name, which is in no file system and has no permissions.
  if (!*path || strlen(path) >= sizeof address->sun_path) {
    errno = *path ? ENAMETOOLONG : ENOENT;
    return -1;
  }
  *address = (struct sockaddr_un){.sun_family = AF_UNIX};
  strcpy(address->sun_path, path);
  return 0;
}

int clinux_unix_socket(void) { return socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0); }

int clinux_unix_bind(int descriptor, const char *path) {
  struct sockaddr_un address;
  if (fill(&address, path)) return -1;
  return bind(descriptor, (struct sockaddr *)&address, sizeof address);
}

int clinux_unix_connect(int descriptor, const char *path) {
  struct sockaddr_un address;
  if (fill(&address, path)) return -1;
  return connect(descriptor, (struct sockaddr *)&address, sizeof address);
}

int clinux_unix_send_datagram(const char *path, const void *bytes, size_t length) {
  struct sockaddr_un address;
  if (fill(&address, path)) return -1;
  int descriptor = socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (descriptor < 0) return -1;
  ssize_t result = sendto(descriptor, bytes, length, MSG_NOSIGNAL, (struct sockaddr *)&address, sizeof address);
  int failure = errno;
  close(descriptor);
  errno = failure;
  return result < 0 ? -1 : 0;
}

int clinux_accept(int descriptor) { return accept4(descriptor, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC); }

int clinux_peer_credentials(int descriptor, struct clinux_peer *peer) {
  struct ucred credentials;
  socklen_t length = sizeof credentials;
  if (getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &length)) return -1;
  *peer = (struct clinux_peer){credentials.pid, credentials.uid, credentials.gid};
  return 0;
}

int clinux_peer_groups(int descriptor, uint32_t *groups, int count) {
  socklen_t length = (socklen_t)count * sizeof *groups;
  // ERANGE: the groups do not fit, and the length is the room that they need.
  if (getsockopt(descriptor, SOL_SOCKET, SO_PEERGROUPS, groups, &length) && errno != ERANGE) return -1;
  return (int)(length / sizeof *groups);
}

int clinux_bytes_unread(int descriptor) {
  int count = 0;
  return ioctl(descriptor, SIOCOUTQ, &count) ? 0 : count;
}

int clinux_unix_connect_waiting(int descriptor, const char *path, long microseconds) {
  struct sockaddr_un address;
  if (fill(&address, path)) return -1;
  // SO_SNDTIMEO limits the time that a blocking socket waits for the listener's full queue (unix(7)).
  struct timeval limit = {microseconds / 1000000, microseconds % 1000000}, none = {0};
  int flags = fcntl(descriptor, F_GETFL);
  if (flags < 0 || setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit) ||
      fcntl(descriptor, F_SETFL, flags & ~O_NONBLOCK))
    return -1;
  int result = connect(descriptor, (struct sockaddr *)&address, sizeof address);
  int failure = errno;
  if (fcntl(descriptor, F_SETFL, flags) || setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &none, sizeof none))
    return -1;
  errno = failure;
  return result;
}

int clinux_unix_set_mode(const char *path, unsigned mode) {
  int place = open(path, O_PATH | O_NOFOLLOW | O_CLOEXEC);
  if (place < 0) return -1;
  struct stat status;
  int result = fstat(place, &status);
  if (!result && (!S_ISSOCK(status.st_mode) || status.st_uid != geteuid())) {
    errno = EEXIST;
    result = -1;
  } else if (!result) {
    char name[32];
    snprintf(name, sizeof name, "/proc/self/fd/%d", place);
    result = chmod(name, mode);
    // Without procfs: fchmodat2(2) of Linux 6.6, which has no name in older headers.
    if (result && (errno == ENOENT || errno == ENOTDIR)) result = (int)syscall(452, place, "", mode, AT_EMPTY_PATH);
  }
  int failure = errno;
  close(place);
  errno = failure;
  return result;
}

int clinux_make_file(const char *path, unsigned mode) {
  return open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode);
}
