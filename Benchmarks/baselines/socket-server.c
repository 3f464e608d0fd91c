// socket-server -- serves socket-client and floor.swift: one line, about as long as a path in JSON, per connection.
#include "support.h"
#include <sys/socket.h>
#include <sys/un.h>

int main(int count, char **arguments) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  char line[600];
  if (count != 2 || strlen(arguments[1]) >= sizeof address.sun_path) usage("socket-server SOCKET");
  end_with_parent();
  memset(line, 'x', sizeof line);
  line[sizeof line - 1] = '\n';
  strcpy(address.sun_path, arguments[1]);
  int listening = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (listening < 0 || bind(listening, (struct sockaddr *)&address, sizeof address) < 0) fail("bind %s", arguments[1]);
  if (listen(listening, 16) < 0) fail("listen");
  for (;;) {
    int client = accept(listening, NULL, NULL);
    if (client < 0 && errno == EINTR) continue;
    if (client < 0) fail("accept");
    send(client, line, sizeof line, MSG_NOSIGNAL);
    close(client);
  }
}
