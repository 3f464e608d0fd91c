// lookups -- the route lookups of one path evaluation and nothing else: one send and one recv each.
//
//   lookups REPETITIONS
//
// Three probe addresses for each family, asked plainly and with RTM_F_FIB_MATCH, and one FIB match with RTA_OIF per
// family and interface that is up. Interfaces are listed once, before the clock starts.
// Prints: N interfaces, L lookups: X us per evaluation
#include "rtnetlink.h"
#include <sys/ioctl.h>

static const char *const probes[2][3] = {
    {"17.253.0.1", "193.0.14.129", "202.12.27.33"},
    {"2001:7fd::1", "2001:dc3::35", "2620:149::1"},
};
static const sa_family_t families[2] = {AF_INET, AF_INET6};

struct lookup {
  size_t length;
  _Alignas(NLMSG_ALIGNTO) unsigned char bytes[80];
};

static struct lookup *lookups;
static size_t lookup_count;

static void append_lookup(sa_family_t family, const char *probe, uint32_t flags, int interface_index) {
  static struct datagram datagram;
  unsigned char address[16];
  size_t size = family == AF_INET ? 4 : 16;
  struct rtmsg body = {
      .rtm_family = (unsigned char)family, .rtm_dst_len = (unsigned char)(size * 8), .rtm_flags = flags};
  inet_pton(family, probe, address);
  datagram.length = 0;
  begin_message(&datagram, RTM_GETROUTE, 0, &body, sizeof body);
  add_attribute(&datagram, RTA_DST, address, size);
  if (interface_index > 0) add_attribute(&datagram, RTA_OIF, &interface_index, sizeof interface_index);
  lookups = realloc(lookups, (lookup_count + 1) * sizeof *lookups);
  if (lookups == NULL || datagram.length > sizeof lookups->bytes) abort();
  lookups[lookup_count].length = datagram.length;
  memcpy(lookups[lookup_count++].bytes, datagram.bytes, datagram.length);
}

static int is_up(const char *name) {
  static int descriptor = -1;
  struct ifreq request = {0};
  if (descriptor < 0) descriptor = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  snprintf(request.ifr_name, sizeof request.ifr_name, "%s", name);
  if (ioctl(descriptor, SIOCGIFFLAGS, &request) < 0) return 0;
  return (request.ifr_flags & IFF_UP) != 0 && (request.ifr_flags & IFF_LOOPBACK) == 0;
}

static int compose_evaluation(void) {
  int usable = 0;
  for (int family = 0; family < 2; family++) {
    for (int probe = 0; probe < 3; probe++) {
      append_lookup(families[family], probes[family][probe], 0, 0);
      append_lookup(families[family], probes[family][probe], RTM_F_FIB_MATCH, 0);
    }
  }
  struct if_nameindex *interfaces = if_nameindex();
  if (interfaces == NULL) fail("list the interfaces");
  for (struct if_nameindex *each = interfaces; each->if_index != 0; each++) {
    if (!is_up(each->if_name)) continue;
    usable++;
    for (int family = 0; family < 2; family++) {
      append_lookup(families[family], probes[family][0], RTM_F_FIB_MATCH, (int)each->if_index);
    }
  }
  if_freenameindex(interfaces);
  return usable;
}

static void evaluate(int descriptor) {
  static _Alignas(NLMSG_ALIGNTO) unsigned char reply[32 * 1024];
  for (size_t index = 0; index < lookup_count; index++) {
    if (send(descriptor, lookups[index].bytes, lookups[index].length, 0) < 0) fail("send a lookup");
    while (recv(descriptor, reply, sizeof reply, 0) < 0) {
      if (errno != EINTR) fail("read an answer");
    }
  }
}

int main(int count, char **arguments) {
  long repetitions = count == 2 ? atol(arguments[1]) : 0;
  if (repetitions < 1) usage("lookups REPETITIONS");
  end_with_parent();
  int interfaces = compose_evaluation();
  int descriptor = open_rtnetlink(0, 0);
  for (long warm_up = 0; warm_up < 3; warm_up++) evaluate(descriptor);
  uint64_t start = monotonic_nanoseconds();
  for (long repetition = 0; repetition < repetitions; repetition++) evaluate(descriptor);
  double nanoseconds = (double)(monotonic_nanoseconds() - start);
  printf("%d interfaces, %zu lookups: %.2f us per evaluation\n", interfaces, lookup_count,
         nanoseconds / 1000 / (double)repetitions);
  return 0;
}
