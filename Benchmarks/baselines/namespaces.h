// Network namespaces as ip-netns(8) names them. The includer defines _GNU_SOURCE.
#pragma once
#include "support.h"
#include <fcntl.h>
#include <sched.h>

static inline void enter_namespace(const char *name) {
  char path[256];
  snprintf(path, sizeof path, "/run/netns/%s", name);
  int descriptor = open(path, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0 || setns(descriptor, CLONE_NEWNET) < 0) fail("enter network namespace %s", name);
  close(descriptor);
}
