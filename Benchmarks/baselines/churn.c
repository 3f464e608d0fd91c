// churn -- adds and removes /24 routes as fast as the kernel takes them, in the network namespace it runs in.
//
//   churn add|remove|both ROUTES [FLIPS]
//
// 200 requests per datagram, one acknowledgement each. The routes start at 20.0.0.0, so none of the first million
// covers an address that a path evaluation asks about. FLIPS changes of the default route (the first takes it away) are
// spread over the stream, at least 5 ms apart. Prints per flip: SENT_NS ACKNOWLEDGED_NS -|+ and at the end:
// operations N nanoseconds T
#include "rtnetlink.h"

enum { REQUESTS_PER_DATAGRAM = 200, MINIMUM_GAP_NS = 5 * 1000 * 1000 };
static const uint32_t first_network = 20u << 24;

static struct {
  uint64_t sent, acknowledged;
} *flips;
static long flips_wanted, flips_done, operations_done, operations_wanted;
static int stream, flipper, interface_index, refused;

static void flip(void) {
  static struct datagram datagram;
  datagram.length = 0;
  add_route_message(&datagram, flips_done % 2 == 1, 0, 0, inet_addr(GATEWAY), interface_index);
  flips[flips_done].sent = monotonic_nanoseconds();
  refused += perform(flipper, &datagram);
  flips[flips_done].acknowledged = monotonic_nanoseconds();
  flips_done++;
}

static void flip_if_due(void) {
  if (flips_done == flips_wanted) return;
  if (operations_done * (flips_wanted + 1) < operations_wanted * (flips_done + 1)) return;
  if (flips_done > 0 && monotonic_nanoseconds() - flips[flips_done - 1].acknowledged < MINIMUM_GAP_NS) return;
  flip();
}

static void change_all(int adding, long routes) {
  static struct datagram datagram;
  for (long route = 0; route < routes;) {
    datagram.length = 0;
    for (int request = 0; request < REQUESTS_PER_DATAGRAM && route < routes; request++, route++, operations_done++) {
      add_route_message(&datagram, adding, first_network + ((uint32_t)route << 8), 24, inet_addr(GATEWAY), interface_index);
    }
    refused += perform(stream, &datagram);
    flip_if_due();
  }
}

int main(int count, char **arguments) {
  const char *help = "churn add|remove|both ROUTES [FLIPS]";
  if (count < 3 || count > 4) usage(help);
  int adding = strcmp(arguments[1], "remove") != 0, removing = strcmp(arguments[1], "add") != 0;
  if (adding && removing && strcmp(arguments[1], "both") != 0) usage(help);
  long routes = atol(arguments[2]);
  flips_wanted = count > 3 ? atol(arguments[3]) : 0;
  operations_wanted = (adding + removing) * routes;
  if (routes < 1 || routes > 1000000 || flips_wanted < 0) usage(help);

  end_with_parent();
  interface_index = (int)if_nametoindex(NEAR_INTERFACE);
  if (interface_index == 0) fail("find " NEAR_INTERFACE);
  stream = open_rtnetlink(0, 0);
  flipper = open_rtnetlink(0, 0);
  flips = calloc((size_t)flips_wanted + 1, sizeof *flips);
  if (flips == NULL) fail("allocate the records");

  uint64_t start = monotonic_nanoseconds();
  if (adding) change_all(1, routes);
  if (removing) change_all(0, routes);
  uint64_t end = monotonic_nanoseconds();
  while (flips_done < flips_wanted) {
    sleep_until(monotonic_nanoseconds() + MINIMUM_GAP_NS);
    flip();
  }
  for (long index = 0; index < flips_done; index++) {
    printf("%" PRIu64 " %" PRIu64 " %c\n", flips[index].sent, flips[index].acknowledged, index % 2 == 1 ? '+' : '-');
  }
  printf("operations %ld nanoseconds %" PRIu64 "\n", operations_done, end - start);
  if (refused > 0) fprintf(stderr, "churn: the kernel refused %d requests\n", refused);
  return refused > 0;
}
