#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/un.h>

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
  // ERANGE: the groups do not fit, and the length says how much they need.
  if (getsockopt(descriptor, SOL_SOCKET, SO_PEERGROUPS, groups, &length) && errno != ERANGE) return -1;
  return (int)(length / sizeof *groups);
}

int clinux_open_for_writing(const char *path, unsigned mode) {
  return open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, mode);
}
