// socket-client -- the least a command-line client of a daemon can do: connect, read a line, print it.
#include "unixsocket.h"

int main(int count, char **arguments) {
  char line[4096];
  if (count != 2) usage("socket-client SOCKET");
  int descriptor = connect_to(arguments[1]);
  ssize_t length = read(descriptor, line, sizeof line);
  return length > 0 && write(STDOUT_FILENO, line, (size_t)length) == length ? 0 : 1;
}
