// rtnetlink requests by hand, several to a datagram when wanted: no library between a measurement and the kernel.
#pragma once
#include "support.h"
#include <arpa/inet.h>
#include <linux/if_addr.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <sys/socket.h>

// The ends of every veth pair of the benchmark (namespaces.py makes them).
#define NEAR_INTERFACE "v0"
#define FAR_INTERFACE "v1"
#define NEAR_ADDRESS "10.200.0.1"
#define NEAR_PREFIX_LENGTH 24
#define GATEWAY "10.200.0.2"

struct datagram {
  size_t length;
  struct nlmsghdr *newest;
  _Alignas(NLMSG_ALIGNTO) unsigned char bytes[64 * 1024];
};

static inline int open_rtnetlink(unsigned groups, int flags) {
  struct sockaddr_nl address = {.nl_family = AF_NETLINK, .nl_groups = groups};
  int descriptor = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | flags, NETLINK_ROUTE);
  if (descriptor < 0 || bind(descriptor, (struct sockaddr *)&address, sizeof address) < 0) fail("open rtnetlink");
  return descriptor;
}

static inline void begin_message(
    struct datagram *datagram, uint16_t type, uint16_t flags, const void *body, size_t size) {
  struct nlmsghdr *header = (struct nlmsghdr *)(datagram->bytes + datagram->length);
  memset(header, 0, NLMSG_SPACE(size));
  header->nlmsg_len = (uint32_t)NLMSG_LENGTH(size);
  header->nlmsg_type = type;
  header->nlmsg_flags = NLM_F_REQUEST | flags;
  memcpy(NLMSG_DATA(header), body, size);
  datagram->newest = header;
  datagram->length += NLMSG_SPACE(size);
}

static inline void add_attribute(struct datagram *datagram, uint16_t type, const void *value, size_t size) {
  struct rtattr *attribute = (struct rtattr *)(datagram->bytes + datagram->length);
  attribute->rta_type = type;
  attribute->rta_len = (uint16_t)RTA_LENGTH(size);
  memcpy(RTA_DATA(attribute), value, size);
  datagram->length += RTA_SPACE(size);
  datagram->newest->nlmsg_len = (uint32_t)(datagram->bytes + datagram->length - (unsigned char *)datagram->newest);
}

// An IPv4 route of the main table through `gateway` (network byte order); prefix length 0 is the default route.
// `network`: host byte order.
static inline void add_route_message(
    struct datagram *datagram, int adding, uint32_t network, uint8_t prefix_length, uint32_t gateway,
    int interface_index) {
  struct rtmsg body = {
      .rtm_family = AF_INET,
      .rtm_dst_len = prefix_length,
      .rtm_table = RT_TABLE_MAIN,
      .rtm_scope = adding ? RT_SCOPE_UNIVERSE : RT_SCOPE_NOWHERE,
      .rtm_protocol = adding ? RTPROT_STATIC : RTPROT_UNSPEC,  // unspecified deletes whoever made it
      .rtm_type = adding ? RTN_UNICAST : RTN_UNSPEC,
  };
  begin_message(
      datagram, adding ? RTM_NEWROUTE : RTM_DELROUTE, adding ? NLM_F_CREATE | NLM_F_EXCL : 0, &body, sizeof body);
  if (prefix_length > 0) {
    uint32_t destination = htonl(network);
    add_attribute(datagram, RTA_DST, &destination, sizeof destination);
  }
  add_attribute(datagram, RTA_GATEWAY, &gateway, sizeof gateway);
  add_attribute(datagram, RTA_OIF, &interface_index, sizeof interface_index);
}

static inline void send_datagram(int descriptor, const struct datagram *datagram) {
  if (send(descriptor, datagram->bytes, datagram->length, 0) < 0) fail("send a netlink request");
}

// Waits for a datagram, and returns its length. ACTION is what fails.
static inline size_t receive_datagram(int descriptor, void *buffer, size_t size, const char *action) {
  for (;;) {
    ssize_t received = recv(descriptor, buffer, size, 0);
    if (received >= 0) return (size_t)received;
    if (errno != EINTR) fail("%s", action);
  }
}

// Sends and waits for the acknowledgement of the newest message. Returns how many messages the kernel refused.
static inline int perform(int descriptor, struct datagram *datagram) {
  static uint32_t sequence;
  datagram->newest->nlmsg_flags |= NLM_F_ACK;
  datagram->newest->nlmsg_seq = ++sequence;
  send_datagram(descriptor, datagram);
  int refused = 0;
  for (;;) {
    static _Alignas(NLMSG_ALIGNTO) unsigned char reply[64 * 1024];
    size_t left = receive_datagram(descriptor, reply, sizeof reply, "read a netlink acknowledgement");
    struct nlmsghdr *header = (struct nlmsghdr *)reply;
    for (; NLMSG_OK(header, left); header = NLMSG_NEXT(header, left)) {
      if (header->nlmsg_type != NLMSG_ERROR) continue;
      if (((struct nlmsgerr *)NLMSG_DATA(header))->error != 0) refused++;
      if (header->nlmsg_seq == sequence) return refused;
    }
  }
}
