// fan -- the least that a daemon can do to report to many programs whether there is a way out. It has one netlink
// socket with a kernel filter and one epoll, and sends a short line for each change to every subscriber. It believes
// every message and asks the kernel nothing after its start, so it shows what the machine allows, not what a correct
// program could reach.
//
//   fan SOCKET [asking]
//
// With `asking` it first puts to the kernel the questions that the product asks.
//
// Each subscriber gets a line at once: "satisfied N" or "unsatisfied N", where N counts the changes. Satisfied means
// that a default route of the main table leads over a link with carrier. A subscriber that does not read gets the
// newest line when it reads again.
#define _GNU_SOURCE
#include "asking.h"
#include "filter.h"
#include "unixsocket.h"
#include <sys/epoll.h>

enum { MOST_ROUTES = 256, MOST_LINKS = 1024, MOST_DESCRIPTORS = 1 << 16, ACCEPTED_AT_ONCE = 64 };

struct route {
  unsigned char family, type_of_service, gateway[16];
  int interface_index;
  uint32_t priority;
};

struct link {
  int index;
  unsigned flags;
};

static struct route routes[MOST_ROUTES];
static struct link links[MOST_LINKS];
static int route_count, link_count;

static int subscribers[MOST_DESCRIPTORS], subscriber_count;
// By descriptor: where it stands among the subscribers, and whether its socket was full.
static int places[MOST_DESCRIPTORS];
static unsigned char behind[MOST_DESCRIPTORS];
static int queue, events, listening;

static char line[64];
static size_t line_length;
static unsigned long changes;
static int said = -1, asks;

// MARK: What the messages tell

static struct route read_route(const struct nlmsghdr *header) {
  const struct rtmsg *body = NLMSG_DATA(header);
  struct route route;
  memset(&route, 0, sizeof route);
  route.family = body->rtm_family;
  route.type_of_service = body->rtm_tos;
  int left = (int)RTM_PAYLOAD(header);
  for (const struct rtattr *attribute = RTM_RTA(body); RTA_OK(attribute, left); attribute = RTA_NEXT(attribute, left)) {
    size_t size = RTA_PAYLOAD(attribute);
    if (attribute->rta_type == RTA_OIF) memcpy(&route.interface_index, RTA_DATA(attribute), sizeof(int));
    if (attribute->rta_type == RTA_PRIORITY) memcpy(&route.priority, RTA_DATA(attribute), sizeof(uint32_t));
    if (attribute->rta_type == RTA_GATEWAY && size <= sizeof route.gateway) {
      memcpy(route.gateway, RTA_DATA(attribute), size);
    }
  }
  return route;
}

static void take_route(const struct nlmsghdr *header) {
  const struct rtmsg *body = NLMSG_DATA(header);
  if (body->rtm_dst_len != 0 || body->rtm_table != RT_TABLE_MAIN || body->rtm_type != RTN_UNICAST) return;
  struct route route = read_route(header);
  int place = 0;
  while (place < route_count && memcmp(&routes[place], &route, sizeof route) != 0) place++;
  if (header->nlmsg_type == RTM_DELROUTE) {
    if (place < route_count) routes[place] = routes[--route_count];
  } else if (place == route_count && place < MOST_ROUTES) {
    routes[route_count++] = route;
  }
}

static void take_link(const struct nlmsghdr *header) {
  const struct ifinfomsg *body = NLMSG_DATA(header);
  unsigned flags = header->nlmsg_type == RTM_NEWLINK ? body->ifi_flags : 0;
  int place = 0;
  while (place < link_count && links[place].index != body->ifi_index) place++;
  if (place == MOST_LINKS) return;
  if (place == link_count) link_count++;
  links[place] = (struct link){body->ifi_index, flags};
  if (flags & IFF_UP) return;
  // The kernel removes the IPv4 routes of such a link without a message.
  for (int index = route_count - 1; index >= 0; index--) {
    if (routes[index].family == AF_INET && routes[index].interface_index == body->ifi_index) {
      routes[index] = routes[--route_count];
    }
  }
}

static void take(const struct nlmsghdr *header) {
  if (header->nlmsg_type == RTM_NEWROUTE || header->nlmsg_type == RTM_DELROUTE) take_route(header);
  if (header->nlmsg_type == RTM_NEWLINK || header->nlmsg_type == RTM_DELLINK) take_link(header);
}

static int is_satisfied(void) {
  for (int route = 0; route < route_count; route++) {
    for (int link = 0; link < link_count; link++) {
      if (links[link].index == routes[route].interface_index && links[link].flags & IFF_RUNNING) return 1;
    }
  }
  return 0;
}

// MARK: The kernel

static void dump(uint16_t type) {
  static struct datagram datagram;
  static _Alignas(NLMSG_ALIGNTO) unsigned char reply[64 * 1024];
  int descriptor = open_rtnetlink(0, 0);
  struct rtgenmsg body = {.rtgen_family = AF_UNSPEC};
  datagram.length = 0;
  begin_message(&datagram, type, NLM_F_DUMP, &body, sizeof body);
  send_datagram(descriptor, &datagram);
  for (;;) {
    size_t left = receive_datagram(descriptor, reply, sizeof reply, "read a netlink dump");
    struct nlmsghdr *header = (struct nlmsghdr *)reply;
    for (; NLMSG_OK(header, left); header = NLMSG_NEXT(header, left)) {
      if (header->nlmsg_type == NLMSG_DONE || header->nlmsg_type == NLMSG_ERROR) {
        close(descriptor);
        return;
      }
      take(header);
    }
  }
}

static void read_everything(void) {
  route_count = link_count = 0;
  dump(RTM_GETLINK);
  dump(RTM_GETROUTE);
}

static void read_events(void) {
  static _Alignas(NLMSG_ALIGNTO) unsigned char buffer[32 * 1024];
  for (;;) {
    ssize_t received = recv(events, buffer, sizeof buffer, 0);
    if (received < 0 && errno == EINTR) continue;
    if (received < 0 && errno == EAGAIN) return;
    if (received < 0 && errno == ENOBUFS) {
      read_everything();
      continue;
    }
    if (received < 0) fail("read rtnetlink");
    size_t left = (size_t)received;
    struct nlmsghdr *header = (struct nlmsghdr *)buffer;
    for (; NLMSG_OK(header, left); header = NLMSG_NEXT(header, left)) take(header);
  }
}

// MARK: The subscribers

static void watch(int operation, int descriptor, unsigned readiness) {
  struct epoll_event event = {.events = readiness, .data.fd = descriptor};
  if (epoll_ctl(queue, operation, descriptor, &event) < 0) fail("watch a descriptor");
}

static void tell(int subscriber) {
  if (send(subscriber, line, line_length, MSG_DONTWAIT | MSG_NOSIGNAL) >= 0 || errno != EAGAIN) return;
  behind[subscriber] = 1;
  watch(EPOLL_CTL_MOD, subscriber, EPOLLIN | EPOLLRDHUP | EPOLLOUT);
}

static void tell_everyone_if_changed(void) {
  int satisfied = is_satisfied();
  if (satisfied == said) return;
  if (asks) ask_about_route(!satisfied);
  said = satisfied;
  int length = snprintf(line, sizeof line, "%s %lu\n", satisfied ? "satisfied" : "unsatisfied", changes++);
  line_length = (size_t)length;
  for (int index = 0; index < subscriber_count; index++) {
    if (!behind[subscribers[index]]) tell(subscribers[index]);
  }
}

static void admit_some(void) {
  for (int admitted = 0; admitted < ACCEPTED_AT_ONCE; admitted++) {
    int subscriber = accept4(listening, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (subscriber < 0 && (errno == EAGAIN || errno == EINTR || errno == ECONNABORTED)) return;
    if (subscriber < 0) fail("accept a subscriber");
    if (subscriber >= MOST_DESCRIPTORS) {
      close(subscriber);
      continue;
    }
    places[subscriber] = subscriber_count;
    subscribers[subscriber_count++] = subscriber;
    watch(EPOLL_CTL_ADD, subscriber, EPOLLIN | EPOLLRDHUP);
    tell(subscriber);
  }
}

static void dismiss(int subscriber) {
  int last = subscribers[--subscriber_count];
  subscribers[places[subscriber]] = last;
  places[last] = places[subscriber];
  behind[subscriber] = 0;
  close(subscriber);
}

static void attend(int subscriber, unsigned readiness) {
  if (readiness & (EPOLLIN | EPOLLRDHUP | EPOLLHUP | EPOLLERR)) {  // none has anything to say: it leaves
    dismiss(subscriber);
  } else if (readiness & EPOLLOUT) {
    behind[subscriber] = 0;
    watch(EPOLL_CTL_MOD, subscriber, EPOLLIN | EPOLLRDHUP);
    tell(subscriber);
  }
}

int main(int count, char **arguments) {
  if (count != 2 && count != 3) usage("fan SOCKET [asking]");
  asks = count == 3;
  end_with_parent();
  raise_descriptor_limit();
  queue = epoll_create1(EPOLL_CLOEXEC);
  if (queue < 0) fail("make an epoll");
  events = open_rtnetlink(
      RTMGRP_LINK | RTMGRP_IPV4_IFADDR | RTMGRP_IPV6_IFADDR | RTMGRP_IPV4_ROUTE | RTMGRP_IPV6_ROUTE, SOCK_NONBLOCK);
  drop_routes_longer_than(1, events);
  listening = listen_at(arguments[1], SOCK_NONBLOCK);
  read_everything();
  tell_everyone_if_changed();
  watch(EPOLL_CTL_ADD, events, EPOLLIN);
  watch(EPOLL_CTL_ADD, listening, EPOLLIN);
  for (;;) {
    struct epoll_event ready[64];
    int number = epoll_wait(queue, ready, 64, -1);
    if (number < 0 && errno != EINTR) fail("wait");
    for (int index = 0; index < number; index++) {
      int descriptor = ready[index].data.fd;
      if (descriptor == events) {
        read_events();
        tell_everyone_if_changed();
      } else if (descriptor == listening) {
        admit_some();
      } else {
        attend(descriptor, ready[index].events);
      }
    }
  }
}
