// socket-server -- serves socket-client and floor.swift: one line, about as long as a path in JSON, per connection.
#include "unixsocket.h"

int main(int count, char **arguments) {
  char line[600];
  if (count != 2) usage("socket-server SOCKET");
  end_with_parent();
  memset(line, 'x', sizeof line);
  line[sizeof line - 1] = '\n';
  int listening = listen_at(arguments[1], 0);
  for (;;) {
    int client = accept(listening, NULL, NULL);
    if (client < 0 && errno == EINTR) continue;
    if (client < 0) fail("accept");
    send(client, line, sizeof line, MSG_NOSIGNAL);
    close(client);
  }
}
