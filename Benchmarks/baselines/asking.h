// The questions that pathctl and pathmonitord put to the kernel after an IPv4 route has changed. Two probe addresses
// are asked about in one datagram, each with RTM_F_FIB_MATCH and plainly. When the route is gone, a second datagram
// asks whether the interface alone leads to the first. The answers are not looked at, so the time is that of asking
// alone.
#pragma once
#include "rtnetlink.h"

enum { MOST_QUESTIONS = 4 };

static int asking_socket = -1;

// Asks what matches each of the probes and, unless bound to an interface, what connect(2) would do for it.
static void put_questions(const char *const *probes, int count, int interface_index) {
  static struct datagram datagram;
  static unsigned char answers[MOST_QUESTIONS][32 * 1024];
  struct iovec places[MOST_QUESTIONS];
  struct mmsghdr headers[MOST_QUESTIONS];
  memset(headers, 0, sizeof headers);
  datagram.length = 0;
  const int kinds = interface_index > 0 ? 1 : 2;
  const unsigned char protocol = IPPROTO_TCP;
  for (int question = 0; question < kinds * count; question++) {
    uint32_t flags = question % kinds == 0 ? RTM_F_LOOKUP_TABLE | RTM_F_FIB_MATCH : 0;
    struct rtmsg body = {.rtm_family = AF_INET, .rtm_dst_len = 32, .rtm_flags = flags};
    uint32_t address;
    inet_pton(AF_INET, probes[question / kinds], &address);
    begin_message(&datagram, RTM_GETROUTE, 0, &body, sizeof body);
    add_attribute(&datagram, RTA_DST, &address, sizeof address);
    add_attribute(&datagram, RTA_IP_PROTO, &protocol, sizeof protocol);
    if (interface_index > 0) add_attribute(&datagram, RTA_OIF, &interface_index, sizeof interface_index);
    places[question] = (struct iovec){answers[question], sizeof answers[question]};
    headers[question].msg_hdr = (struct msghdr){.msg_iov = &places[question], .msg_iovlen = 1};
  }
  send_datagram(asking_socket, &datagram);
  // The kernel has answered when the call returns.
  if (recvmmsg(asking_socket, headers, (unsigned)(kinds * count), MSG_DONTWAIT, NULL) != kinds * count)
    fail("read the answers");
}

static inline void ask_about_route(int is_gone) {
  static const char *const probes[] = {"17.253.0.1", "193.0.14.129"};
  static int interface_index;
  if (asking_socket < 0) {
    asking_socket = open_rtnetlink(0, 0);
    interface_index = (int)if_nametoindex(NEAR_INTERFACE);
  }
  put_questions(probes, 2, 0);
  if (is_gone) put_questions(probes, 1, interface_index);
}
