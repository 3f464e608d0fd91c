// Helpers for every program here: the clock, one way to fail, and an end when the benchmark ends.
#pragma once
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

static inline uint64_t monotonic_nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static inline void sleep_until(uint64_t nanoseconds) {
  struct timespec when = {(time_t)(nanoseconds / 1000000000u), (long)(nanoseconds % 1000000000u)};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &when, NULL) == EINTR) {
  }
}

// Prints "cannot WHAT: reason" and ends the program.
__attribute__((noreturn, format(printf, 1, 2))) static inline void fail(const char *format, ...) {
  int error = errno;
  va_list arguments;
  va_start(arguments, format);
  fputs("cannot ", stderr);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fprintf(stderr, ": %s\n", strerror(error));
  exit(70);
}

__attribute__((noreturn)) static inline void usage(const char *text) {
  fprintf(stderr, "usage: %s\n", text);
  exit(64);
}

// The benchmark may be killed; nothing it started may outlive it.
static inline void end_with_parent(void) {
  prctl(PR_SET_PDEATHSIG, SIGTERM);
}
