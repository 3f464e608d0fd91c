// reader -- runs a command with its standard output on a pipe and notes when each line arrives.
//
//   reader [-k WORD] LOG COMMAND...
//
// LOG gets "pid PID", "exec NS" (the moment before the command's execve) and "line NS TEXT" for every line, or only for
// those that contain WORD. The last entries are "lines N" (all lines) and "status WAIT_STATUS". SIGTERM ends the
// command. Nothing is written to LOG while lines come: it is written after 100 ms without any.
#define _GNU_SOURCE
#include "support.h"
#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/wait.h>

enum { QUIET_MS = 100, GRACE_MS = 5000, RECORDS_SIZE = 64 << 20, BUFFER_SIZE = 1 << 20 };

static char records[RECORDS_SIZE], buffer[BUFFER_SIZE];
static size_t records_length, buffered;
static long lines;
static const char *word;
static int log_file;
static volatile sig_atomic_t stopping;

static void stop(int signal) {
  (void)signal;
  stopping = 1;
}

static void flush_records(void) {
  for (size_t written = 0; written < records_length;) {
    ssize_t count = write(log_file, records + written, records_length - written);
    if (count < 0 && errno != EINTR) fail("write the log");
    if (count > 0) written += (size_t)count;
  }
  records_length = 0;
}

__attribute__((format(printf, 1, 2))) static void record(const char *format, ...) {
  va_list arguments;
  if (records_length > RECORDS_SIZE - 8192) flush_records();
  va_start(arguments, format);
  records_length += (size_t)vsnprintf(records + records_length, 8192, format, arguments);
  va_end(arguments);
}

static void split_lines(uint64_t arrival) {
  char *start = buffer, *end;
  while ((end = memchr(start, '\n', buffered - (size_t)(start - buffer))) != NULL) {
    *end = '\0';
    lines++;
    if (word == NULL || strstr(start, word) != NULL) record("line %" PRIu64 " %.4000s\n", arrival, start);
    start = end + 1;
  }
  buffered -= (size_t)(start - buffer);
  memmove(buffer, start, buffered);
  if (buffered == BUFFER_SIZE) buffered = 0;  // no line of ours is a megabyte long
}

static pid_t start_command(char **command, int output[2], uint64_t *exec_time) {
  pid_t pid = fork();
  if (pid < 0) fail("fork");
  if (pid > 0) return pid;
  end_with_parent();
  int nothing = open("/dev/null", O_RDONLY);
  if (nothing < 0 || dup2(nothing, STDIN_FILENO) < 0 || dup2(output[1], STDOUT_FILENO) < 0) fail("redirect");
  *exec_time = monotonic_nanoseconds();
  execvp(command[0], command);
  fail("run %s", command[0]);
}

// Reads until the command closes its output; passes the end on to it when asked to stop.
static void follow(int input, pid_t pid) {
  sigset_t none, terminate;
  sigemptyset(&none);
  sigemptyset(&terminate);
  sigaddset(&terminate, SIGTERM);
  sigaddset(&terminate, SIGINT);
  sigprocmask(SIG_BLOCK, &terminate, NULL);
  int told = 0;
  for (;;) {
    struct pollfd readable = {.fd = input, .events = POLLIN};
    struct timespec quiet = {0, QUIET_MS * 1000000L}, grace = {GRACE_MS / 1000, 0};
    int ready = ppoll(&readable, 1, stopping ? &grace : records_length > 0 ? &quiet : NULL, &none);
    if (ready == 0 && stopping) kill(pid, SIGKILL);
    if (ready == 0) flush_records();
    if (stopping && !told) {
      told = 1;
      kill(pid, SIGTERM);
    }
    if (ready <= 0) continue;
    ssize_t count = read(input, buffer + buffered, BUFFER_SIZE - buffered);
    uint64_t arrival = monotonic_nanoseconds();
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return;
    buffered += (size_t)count;
    split_lines(arrival);
  }
}

int main(int count, char **arguments) {
  const char *help = "reader [-k WORD] LOG COMMAND...";
  int option, output[2], status;
  while ((option = getopt(count, arguments, "+k:")) != -1) {
    if (option != 'k') usage(help);
    word = optarg;
  }
  if (count - optind < 2) usage(help);

  end_with_parent();
  struct sigaction action = {.sa_handler = stop};
  sigaction(SIGTERM, &action, NULL);
  sigaction(SIGINT, &action, NULL);
  log_file = open(arguments[optind], O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0600);
  if (log_file < 0) fail("open %s", arguments[optind]);
  if (pipe2(output, O_CLOEXEC) < 0) fail("make a pipe");
  uint64_t *exec_time = mmap(NULL, sizeof *exec_time, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (exec_time == MAP_FAILED) fail("share memory");

  pid_t pid = start_command(arguments + optind + 1, output, exec_time);
  close(output[1]);
  record("pid %d\n", pid);
  flush_records();
  follow(output[0], pid);
  if (waitpid(pid, &status, 0) < 0) fail("wait for %d", pid);
  record("exec %" PRIu64 "\nlines %ld\nstatus %d\n", *exec_time, lines, status);
  flush_records();
  return 0;
}
