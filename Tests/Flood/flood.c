// flood: calls a varlink service as fast as possible, as several users over many connections, and never waits for a
// reply.
//
//   flood SOCKET CALL CONNECTIONS USERS SECONDS [--deaf]
//
// CALL is a method with its parameters as JSON; "connect" connects and goes away again, all the time. Each of the users
// 60000, 60001 … is a process of its own. --deaf reads no replies. Prints how many calls were sent.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { FIRST_USER = 60000, MOST_CALLS = 64 };

static struct sockaddr_un address = {.sun_family = AF_UNIX};
static char calls[MOST_CALLS * 512];
static size_t call_length, calls_length;
static double end;
static int is_deaf;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec + time.tv_nsec / 1e9;
}

static int join(void) {
  int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (descriptor < 0) return -1;
  if (connect(descriptor, (struct sockaddr *)&address, sizeof address)) {
    close(descriptor);
    return -1;
  }
  return descriptor;
}

static void churn(void) {
  while (now() < end) {
    int descriptor = join();
    if (descriptor >= 0) close(descriptor);
  }
}

// A connection and how much of a batch of calls it has sent.
struct caller {
  int descriptor;
  size_t sent;
};

static void call(int epoll, struct caller *caller, long *count) {
  static char replies[1 << 16];
  while (!is_deaf && recv(caller->descriptor, replies, sizeof replies, MSG_DONTWAIT) > 0) continue;
  for (int batch = 0; batch < 4; batch++) {
    ssize_t sent = send(caller->descriptor, calls + caller->sent, calls_length - caller->sent, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent < 0 && errno != EAGAIN) {
      epoll_ctl(epoll, EPOLL_CTL_DEL, caller->descriptor, NULL);
      close(caller->descriptor);
      caller->descriptor = -1;
    }
    if (sent <= 0) return;
    *count += sent / call_length;
    caller->sent = (caller->sent + sent) % calls_length;
  }
}

static void shout(int connections, long *count) {
  int epoll = epoll_create1(EPOLL_CLOEXEC);
  struct caller *callers = calloc(connections, sizeof *callers);
  for (int i = 0; i < connections; i++) callers[i].descriptor = -1;
  struct epoll_event ready[256];
  while (now() < end) {
    for (int i = 0; i < connections; i++) {
      if (callers[i].descriptor >= 0) continue;
      callers[i] = (struct caller){join(), 0};
      if (callers[i].descriptor < 0) break;
      struct epoll_event event = {.events = EPOLLIN | EPOLLOUT | EPOLLET, .data.ptr = &callers[i]};
      epoll_ctl(epoll, EPOLL_CTL_ADD, callers[i].descriptor, &event);
    }
    int arrived = epoll_wait(epoll, ready, 256, 10);
    for (int i = 0; i < arrived; i++) call(epoll, ready[i].data.ptr, count);
  }
}

int main(int argc, char **argv) {
  if (argc < 6) return 64;
  const char *method = argv[2];
  int connections = atoi(argv[3]), users = atoi(argv[4]);
  end = now() + atof(argv[5]);
  is_deaf = argc > 6 && !strcmp(argv[6], "--deaf");
  strncpy(address.sun_path, argv[1], sizeof address.sun_path - 1);
  call_length = strlen(method) + 1;
  if (call_length > 512) return 64;
  for (int i = 0; i < MOST_CALLS; i++) memcpy(calls + i * call_length, method, call_length);
  calls_length = call_length * MOST_CALLS;
  struct rlimit limit = {4096, 4096};
  setrlimit(RLIMIT_NOFILE, &limit);
  long *counts = mmap(NULL, sizeof *counts * users, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  for (int user = 0; user < users; user++) {
    if (fork()) continue;
    if (setgid(FIRST_USER + user) || setuid(FIRST_USER + user)) _exit(1);
    if (!strcmp(method, "connect")) churn();
    else shout((connections + users - 1) / users, &counts[user]);
    _exit(0);
  }
  int status = 0, worst = 0;
  while (wait(&status) > 0) worst |= status;
  long total = 0;
  for (int user = 0; user < users; user++) total += counts[user];
  printf("%ld\n", total);
  return worst != 0;
}
