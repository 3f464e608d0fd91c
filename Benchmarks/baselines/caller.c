// caller -- one call after the other on one connection, each when the reply to the last has come.
//
//   caller SOCKET CALLS REQUEST
//
// Frames end with NUL. A tenth as many calls come first, uncounted. Prints: calls N nanoseconds T bytes B, where B is
// the length of the last reply with its NUL. A varlink error ends the program with 70.
#include "unixsocket.h"

static char reply[1 << 16];

static size_t call(int descriptor, const char *request, size_t length) {
  if (send(descriptor, request, length, MSG_NOSIGNAL) != (ssize_t)length) fail("send a call");
  size_t held = 0;
  do {
    if (held == sizeof reply) errno = EMSGSIZE, fail("hold a reply");
    ssize_t received = read(descriptor, reply + held, sizeof reply - held);
    if (received < 0 && errno == EINTR) continue;
    if (received < 0) fail("read a reply");
    if (received == 0) errno = ECONNRESET, fail("read a reply");
    held += (size_t)received;
  } while (held == 0 || reply[held - 1] != '\0');
  return held;
}

int main(int count, char **arguments) {
  long calls = count == 4 ? atol(arguments[2]) : 0;
  if (calls < 1) usage("caller SOCKET CALLS REQUEST");
  end_with_parent();
  int descriptor = connect_to(arguments[1]);
  const char *request = arguments[3];
  size_t length = strlen(request) + 1, bytes = 0;
  for (long index = 0; index < calls / 10 + 1; index++) bytes = call(descriptor, request, length);
  if (strstr(reply, "\"error\":") != NULL) {
    fprintf(stderr, "caller: %s\n", reply);
    return 70;
  }
  uint64_t start = monotonic_nanoseconds();
  for (long index = 0; index < calls; index++) {
    size_t now = call(descriptor, request, length);
    if (now == 0) return 70;
    bytes = now;
  }
  uint64_t end = monotonic_nanoseconds();
  printf("calls %ld nanoseconds %" PRIu64 " bytes %zu\n", calls, end - start, bytes);
  return 0;
}
