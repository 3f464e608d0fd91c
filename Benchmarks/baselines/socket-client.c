// socket-client -- the least a command-line client of a daemon can do: connect, read a line, print it.
#include "support.h"
#include <sys/socket.h>
#include <sys/un.h>

int main(int count, char **arguments) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  char line[4096];
  if (count != 2 || strlen(arguments[1]) >= sizeof address.sun_path) usage("socket-client SOCKET");
  strcpy(address.sun_path, arguments[1]);
  int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (descriptor < 0 || connect(descriptor, (struct sockaddr *)&address, sizeof address) < 0) fail("connect");
  ssize_t length = read(descriptor, line, sizeof line);
  return length > 0 && write(STDOUT_FILENO, line, (size_t)length) == length ? 0 : 1;
}
