// flip -- takes something away from network namespaces and gives it back, one namespace after the other.
//
//   flip route|fresh|link|address COUNT INTERVAL_US JITTER_US NETNS...
//
// `fresh` is `route` with a gateway that has not been there before, as far as the network has addresses.
// Every namespace gets COUNT operations, the first takes away. Going round robin puts whatever else happens on the
// machine on all namespaces alike. Prints one line per operation: NETNS SENT_NS ACKNOWLEDGED_NS -|+
// The kernel removes IPv4 routes with a link or with the last address, so giving either back also restores the default
// route; SENT is the moment of the first request.
#define _GNU_SOURCE
#include "namespaces.h"
#include "rtnetlink.h"

enum { MOST_NAMESPACES = 16, FRESH_GATEWAYS = 250 };
enum kind { ROUTE, FRESH, LINK, ADDRESS };

struct target {
  const char *name;
  int descriptor;
  int interface_index;
};

struct record {
  const struct target *target;
  uint64_t sent, acknowledged;
  int adding;
  uint32_t gateway;  // network byte order
};

static struct target open_target(const char *name) {
  enter_namespace(name);
  struct target target = {.name = name, .descriptor = open_rtnetlink(0, 0)};
  target.interface_index = (int)if_nametoindex(NEAR_INTERFACE);
  if (target.interface_index == 0) fail("find " NEAR_INTERFACE " in %s", name);
  return target;
}

static void compose(struct datagram *datagram, enum kind kind, int adding, uint32_t gateway, int interface_index) {
  datagram->length = 0;
  if (kind == ROUTE || kind == FRESH) {
    add_route_message(datagram, adding, 0, 0, gateway, interface_index);
  } else if (kind == LINK) {
    struct ifinfomsg body = {
        .ifi_index = interface_index, .ifi_change = IFF_UP, .ifi_flags = adding ? IFF_UP : 0};
    begin_message(datagram, RTM_NEWLINK, 0, &body, sizeof body);
  } else {
    struct ifaddrmsg body = {
        .ifa_family = AF_INET, .ifa_prefixlen = NEAR_PREFIX_LENGTH, .ifa_index = (unsigned)interface_index};
    uint32_t address = inet_addr(NEAR_ADDRESS);
    begin_message(
        datagram, adding ? RTM_NEWADDR : RTM_DELADDR, adding ? NLM_F_CREATE | NLM_F_EXCL : 0, &body, sizeof body);
    add_attribute(datagram, IFA_LOCAL, &address, sizeof address);
    add_attribute(datagram, IFA_ADDRESS, &address, sizeof address);
  }
}

static int operate(struct record *record, enum kind kind) {
  static struct datagram datagram;
  const struct target *target = record->target;
  compose(&datagram, kind, record->adding, record->gateway, target->interface_index);
  record->sent = monotonic_nanoseconds();
  int refused = perform(target->descriptor, &datagram);
  record->acknowledged = monotonic_nanoseconds();
  if (record->adding && (kind == LINK || kind == ADDRESS)) {
    compose(&datagram, ROUTE, 1, record->gateway, target->interface_index);
    refused += perform(target->descriptor, &datagram);
  }
  return refused;
}

int main(int count, char **arguments) {
  const char *help = "flip route|fresh|link|address COUNT INTERVAL_US JITTER_US NETNS...";
  if (count < 6 || count - 5 > MOST_NAMESPACES) usage(help);
  enum kind kind = ROUTE;
  if (strcmp(arguments[1], "fresh") == 0) kind = FRESH;
  else if (strcmp(arguments[1], "link") == 0) kind = LINK;
  else if (strcmp(arguments[1], "address") == 0) kind = ADDRESS;
  else if (strcmp(arguments[1], "route") != 0) usage(help);
  long operations = atol(arguments[2]);
  uint64_t interval = strtoull(arguments[3], NULL, 10) * 1000, jitter = strtoull(arguments[4], NULL, 10) * 1000;
  int targets = count - 5;
  if (operations < 1) usage(help);

  end_with_parent();
  struct target target[MOST_NAMESPACES];
  for (int index = 0; index < targets; index++) target[index] = open_target(arguments[5 + index]);
  struct record *records = calloc((size_t)(operations * targets), sizeof *records);
  if (records == NULL) fail("allocate the records");

  srand48(1);
  int refused = 0;
  for (long index = 0; index < operations * targets; index++) {
    records[index].target = &target[index % targets];
    records[index].adding = (int)(index / targets % 2);
    records[index].gateway = inet_addr(GATEWAY);
    // A deletion names the gateway of the last addition; the first one names the gateway of the set-up.
    if (kind == FRESH) records[index].gateway += htonl((uint32_t)((index / targets + 1) / 2 % FRESH_GATEWAYS));
    sleep_until(monotonic_nanoseconds() + interval + (uint64_t)(drand48() * (double)jitter));
    refused += operate(&records[index], kind);
  }
  for (long index = 0; index < operations * targets; index++) {
    const struct record *record = &records[index];
    printf("%s %" PRIu64 " %" PRIu64 " %c\n", record->target->name, record->sent, record->acknowledged,
           record->adding ? '+' : '-');
  }
  if (refused > 0) fprintf(stderr, "flip: the kernel refused %d requests\n", refused);
  return refused > 0;
}
