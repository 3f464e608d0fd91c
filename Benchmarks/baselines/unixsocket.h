// Unix stream sockets, and as many descriptors as the administrator allows.
#pragma once
#include "support.h"
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>

static inline struct sockaddr_un unix_address(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof address.sun_path) {
    errno = ENAMETOOLONG;
    fail("use the path %s", path);
  }
  strcpy(address.sun_path, path);
  return address;
}

static inline int listen_at(const char *path, int flags) {
  struct sockaddr_un address = unix_address(path);
  int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | flags, 0);
  if (descriptor < 0 || bind(descriptor, (struct sockaddr *)&address, sizeof address) < 0) fail("bind %s", path);
  if (listen(descriptor, 4096) < 0) fail("listen at %s", path);
  return descriptor;
}

static inline int connect_to(const char *path) {
  struct sockaddr_un address = unix_address(path);
  int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (descriptor < 0 || connect(descriptor, (struct sockaddr *)&address, sizeof address) < 0) fail("reach %s", path);
  return descriptor;
}

static inline void raise_descriptor_limit(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) < 0) fail("read the limit of descriptors");
  limit.rlim_cur = limit.rlim_max;
  if (setrlimit(RLIMIT_NOFILE, &limit) < 0) fail("raise the limit of descriptors");
}
