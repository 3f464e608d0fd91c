// listener -- the least a program can do to say that the default route changed: one netlink socket, a kernel filter
// that drops every other route, and one line per message. It evaluates nothing, so it shows what the machine allows,
// not what a correct program could reach.
//
//   listener [asking]
//
// Prints "ready", then "+default", "-default", "link" or "address" per message. With `asking` it puts to the kernel
// what the product asks before it says anything of a route.
#define _GNU_SOURCE
#include "filter.h"
#include "asking.h"

static int asks;

static void say(const char *line) {
  size_t length = strlen(line);
  if (write(STDOUT_FILENO, line, length) != (ssize_t)length) exit(0);
}

static void handle(const struct nlmsghdr *header) {
  if (asks && (header->nlmsg_type == RTM_NEWROUTE || header->nlmsg_type == RTM_DELROUTE)) {
    ask_about_route(header->nlmsg_type == RTM_DELROUTE);
  }
  switch (header->nlmsg_type) {
  case RTM_NEWROUTE: say("+default\n"); break;
  case RTM_DELROUTE: say("-default\n"); break;
  case RTM_NEWLINK:
  case RTM_DELLINK: say("link\n"); break;
  case RTM_NEWADDR:
  case RTM_DELADDR: say("address\n"); break;
  }
}

int main(int count, char **arguments) {
  asks = count == 2 && strcmp(arguments[1], "asking") == 0;
  static _Alignas(NLMSG_ALIGNTO) unsigned char buffer[32 * 1024];
  int descriptor = open_rtnetlink(
      RTMGRP_LINK | RTMGRP_IPV4_IFADDR | RTMGRP_IPV6_IFADDR | RTMGRP_IPV4_ROUTE | RTMGRP_IPV6_ROUTE, 0);
  drop_routes_longer_than(0, descriptor);
  say("ready\n");
  for (;;) {
    ssize_t received = recv(descriptor, buffer, sizeof buffer, 0);
    if (received < 0 && (errno == EINTR || errno == ENOBUFS)) continue;
    if (received < 0) fail("read rtnetlink");
    size_t left = (size_t)received;
    struct nlmsghdr *header = (struct nlmsghdr *)buffer;
    for (; NLMSG_OK(header, left); header = NLMSG_NEXT(header, left)) handle(header);
  }
}
