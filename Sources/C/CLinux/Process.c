#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdlib.h>

static int argument_count;
static char **arguments;

// glibc hands the arguments of main() to every constructor, also to those of shared libraries.
__attribute__((constructor)) static void keep_arguments(int count, char **values) {
  argument_count = count;
  arguments = values;
}

int clinux_argument_count(void) { return argument_count; }

const char *clinux_argument(int position) {
  return position < 0 || position >= argument_count ? NULL : arguments[position];
}

void clinux_trim_memory(void) { malloc_trim(0); }

const char *clinux_environment_value(const char *name) { return secure_getenv(name); }

int clinux_open_standard_descriptors(void) {
  for (int descriptor = 0; descriptor <= 2; descriptor++) {
    if (fcntl(descriptor, F_GETFD) != -1 || errno != EBADF) continue;
    // open(2) returns the lowest free number, which is this one. The file is opened for the opposite direction, so
    // reading from or writing to the descriptor still fails with EBADF.
    if (open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY) != descriptor) return -1;
  }
  return 0;
}
