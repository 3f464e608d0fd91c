#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

int clinux_adopt_orphans(void) { return prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); }

int clinux_has_children(void) {
  siginfo_t information;
  return waitid(P_ALL, 0, &information, WEXITED | WNOHANG | WNOWAIT) == 0 || errno != ECHILD;
}

int clinux_take_child_change(struct clinux_child_change *change) {
  siginfo_t information = {0};
  if (waitid(P_ALL, 0, &information, WEXITED | WSTOPPED | WNOHANG)) return -1;
  *change = (struct clinux_child_change){information.si_pid, information.si_code, information.si_status};
  return 0;
}

int clinux_signal_is_ignored(int signal) {
  struct sigaction action;
  return !sigaction(signal, NULL, &action) && action.sa_handler == SIG_IGN;
}

int clinux_spawn_in_foreground(void *file_actions, int terminal) {
  return posix_spawn_file_actions_addtcsetpgrp_np(file_actions, terminal);
}

int clinux_open_error_of_user(const char *path, uint32_t user, const uint32_t *groups, size_t count) {
  enum { CANNOT_TELL = 255 };
  pid_t child = fork();
  if (child == 0) {
    if (setgroups(count, groups) || setresgid(user, user, user) || setresuid(user, user, user)) _exit(CANNOT_TELL);
    _exit(open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) < 0 ? errno : 0);
  }
  int status;
  if (child < 0) return -1;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return -1;
  return WIFEXITED(status) && WEXITSTATUS(status) != CANNOT_TELL ? WEXITSTATUS(status) : -1;
}
