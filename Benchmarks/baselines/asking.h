// What pathctl and pathmonitord ask the kernel after an IPv4 route has changed, and nothing more: one probe address with
// RTM_F_FIB_MATCH and another plainly, in one datagram; and when the route is gone, whether the interface alone leads
// to the first. Nobody looks at the answers: so it shows what asking costs any program that does.
#pragma once
#include "rtnetlink.h"

enum { MOST_QUESTIONS = 2 };

static int asking_socket = -1;

// Asks what matches the first probe, and what connect(2) would do for the others.
static void put_questions(const char *const *probes, int count, int interface_index) {
  static struct datagram datagram;
  static unsigned char answers[MOST_QUESTIONS][32 * 1024];
  struct iovec places[MOST_QUESTIONS];
  struct mmsghdr headers[MOST_QUESTIONS];
  memset(headers, 0, sizeof headers);
  datagram.length = 0;
  for (int probe = 0; probe < count; probe++) {
    uint32_t flags = probe == 0 ? RTM_F_LOOKUP_TABLE | RTM_F_FIB_MATCH : 0;
    struct rtmsg body = {.rtm_family = AF_INET, .rtm_dst_len = 32, .rtm_flags = flags};
    uint32_t address;
    inet_pton(AF_INET, probes[probe], &address);
    begin_message(&datagram, RTM_GETROUTE, 0, &body, sizeof body);
    add_attribute(&datagram, RTA_DST, &address, sizeof address);
    if (interface_index > 0) add_attribute(&datagram, RTA_OIF, &interface_index, sizeof interface_index);
    places[probe] = (struct iovec){answers[probe], sizeof answers[probe]};
    headers[probe].msg_hdr = (struct msghdr){.msg_iov = &places[probe], .msg_iovlen = 1};
  }
  send_datagram(asking_socket, &datagram);
  // The kernel has answered when the call returns.
  if (recvmmsg(asking_socket, headers, (unsigned)count, MSG_DONTWAIT, NULL) != count) fail("read the answers");
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
