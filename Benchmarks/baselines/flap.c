// flap -- takes the carrier of a link away and gives it back as fast as the kernel takes the requests.
//
//   flap NEAR FAR SECONDS
//
// Sets the link v1 of the network namespace FAR down and up, so that v0 in NEAR loses and gets its carrier. Meanwhile,
// and for two more seconds, it reads the kernel's messages about v0. It ends without carrier. Prints: flaps N messages
// M start NS end NS last NS. M counts the messages in which the carrier differs from the message before, and LAST is
// the time at which the last of these was read. A flap is down and up.
#define _GNU_SOURCE
#include "namespaces.h"
#include "rtnetlink.h"
#include <poll.h>

enum { BUFFER_BYTES = 32 << 20, REST_MS = 2000 };

static int messages, running = -1;
static uint64_t last;

static void read_messages(int descriptor, int interface_index) {
  static _Alignas(NLMSG_ALIGNTO) unsigned char buffer[32 * 1024];
  for (;;) {
    ssize_t received = recv(descriptor, buffer, sizeof buffer, 0);
    if (received < 0 && errno == EAGAIN) return;
    if (received < 0) fail("read rtnetlink");
    size_t left = (size_t)received;
    struct nlmsghdr *header = (struct nlmsghdr *)buffer;
    for (; NLMSG_OK(header, left); header = NLMSG_NEXT(header, left)) {
      const struct ifinfomsg *body = NLMSG_DATA(header);
      if (header->nlmsg_type != RTM_NEWLINK || body->ifi_index != interface_index) continue;
      int runs = (body->ifi_flags & IFF_RUNNING) != 0;
      if (runs == running) continue;
      running = runs;
      messages++;
      last = monotonic_nanoseconds();
    }
  }
}

static void set_link(int descriptor, int interface_index, int up) {
  static struct datagram datagram;
  struct ifinfomsg body = {.ifi_index = interface_index, .ifi_change = IFF_UP, .ifi_flags = up ? IFF_UP : 0};
  datagram.length = 0;
  begin_message(&datagram, RTM_NEWLINK, 0, &body, sizeof body);
  if (perform(descriptor, &datagram) != 0) fail("set the link %s", up ? "up" : "down");
}

static int index_of(const char *name) {
  int index = (int)if_nametoindex(name);
  if (index == 0) fail("find %s", name);
  return index;
}

int main(int count, char **arguments) {
  double seconds = count == 4 ? atof(arguments[3]) : 0;
  if (seconds <= 0) usage("flap NEAR FAR SECONDS");
  end_with_parent();
  enter_namespace(arguments[1]);
  int near = index_of(NEAR_INTERFACE), listening = open_rtnetlink(RTMGRP_LINK, SOCK_NONBLOCK);
  int bytes = BUFFER_BYTES;
  if (setsockopt(listening, SOL_SOCKET, SO_RCVBUFFORCE, &bytes, sizeof bytes) < 0) fail("enlarge the buffer");
  enter_namespace(arguments[2]);
  int far = index_of(FAR_INTERFACE), asking = open_rtnetlink(0, 0);

  long flaps = 0;
  uint64_t start = monotonic_nanoseconds(), stop = start + (uint64_t)(seconds * 1e9);
  running = 1;
  for (;; flaps++) {
    set_link(asking, far, 0);
    read_messages(listening, near);
    if (monotonic_nanoseconds() >= stop) break;
    set_link(asking, far, 1);
    read_messages(listening, near);
  }
  uint64_t end = monotonic_nanoseconds();
  struct pollfd readable = {.fd = listening, .events = POLLIN};
  while (poll(&readable, 1, REST_MS) > 0) read_messages(listening, near);
  printf("flaps %ld messages %d ", flaps, messages);
  printf("start %" PRIu64 " end %" PRIu64 " last %" PRIu64 "\n", start, end, last);
  if (running != 0) fprintf(stderr, "flap: the kernel has not said that the carrier is gone\n");
  return running != 0;
}
