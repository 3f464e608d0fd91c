#define _GNU_SOURCE
#include "CProcessTestSupport.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <spawn.h>
#include <sys/fsuid.h>
#include <unistd.h>

int cprocess_close_from(void *file_actions, int first) {
  return posix_spawn_file_actions_addclosefrom_np(file_actions, first);
}

int cprocess_unshare_descriptors(void) {
  return unshare(CLONE_FILES);
}

int cprocess_use_files_as(unsigned user) {
  return setfsuid(user);
}

int cprocess_enter_network_namespace(const char *path) {
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return -1;
  int result = setns(file, CLONE_NEWNET), error = errno;
  close(file);
  errno = error;
  return result;
}
