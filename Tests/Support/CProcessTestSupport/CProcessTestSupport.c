#define _GNU_SOURCE
#include "CProcessTestSupport.h"

#include <sched.h>
#include <spawn.h>

int cprocess_close_from(void *file_actions, int first) {
  return posix_spawn_file_actions_addclosefrom_np(file_actions, first);
}

int cprocess_unshare_descriptors(void) {
  return unshare(CLONE_FILES);
}
