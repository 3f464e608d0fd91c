// echo -- the least a server can do for caller: for each frame that ends with NUL, a frame of a given length.
//
//   echo SOCKET BYTES        BYTES counts the NUL
#include "unixsocket.h"

static void serve(int client, const char *reply, size_t length) {
  char buffer[4096];
  for (;;) {
    ssize_t received = read(client, buffer, sizeof buffer);
    if (received < 0 && errno == EINTR) continue;
    if (received <= 0) return;
    for (ssize_t index = 0; index < received; index++) {
      if (buffer[index] == '\0' && send(client, reply, length, MSG_NOSIGNAL) != (ssize_t)length) return;
    }
  }
}

int main(int count, char **arguments) {
  long length = count == 3 ? atol(arguments[2]) : 0;
  if (length < 1) usage("echo SOCKET BYTES");
  end_with_parent();
  char *reply = calloc(1, (size_t)length);
  if (reply == NULL) fail("allocate the reply");
  memset(reply, 'x', (size_t)length - 1);
  int listening = listen_at(arguments[1], 0);
  for (;;) {
    int client = accept(listening, NULL, NULL);
    if (client < 0 && errno == EINTR) continue;
    if (client < 0) fail("accept");
    serve(client, reply, (size_t)length);
    close(client);
  }
}
