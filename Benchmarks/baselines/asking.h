// What pathctl and pathmonitord ask the kernel after an IPv4 route has changed, and nothing more: two probe addresses with
// RTM_F_FIB_MATCH and the first also plainly, in one datagram; and when the route is gone, whether the interface alone leads
// there. Nobody looks at the answers: so it shows what asking costs any program that does.
#pragma once
#include "rtnetlink.h"

enum { MOST_QUESTIONS = 4 };

static int asking_socket = -1;

static void put_questions(const char *const *probes, int count, uint32_t flags, int with_plain, int interface_index) {
  static struct datagram datagram;
  static unsigned char answers[MOST_QUESTIONS][32 * 1024];
  struct iovec places[MOST_QUESTIONS];
  struct mmsghdr headers[MOST_QUESTIONS];
  unsigned questions = 0;
  memset(headers, 0, sizeof headers);
  datagram.length = 0;
  for (int probe = 0; probe < count; probe++) {
    for (int plain = 0; plain <= (with_plain && probe == 0); plain++) {
      struct rtmsg body = {.rtm_family = AF_INET, .rtm_dst_len = 32, .rtm_flags = plain ? 0 : flags};
      uint32_t address;
      inet_pton(AF_INET, probes[probe], &address);
      begin_message(&datagram, RTM_GETROUTE, 0, &body, sizeof body);
      add_attribute(&datagram, RTA_DST, &address, sizeof address);
      if (interface_index > 0) add_attribute(&datagram, RTA_OIF, &interface_index, sizeof interface_index);
      places[questions] = (struct iovec){answers[questions], sizeof answers[questions]};
      headers[questions].msg_hdr = (struct msghdr){.msg_iov = &places[questions], .msg_iovlen = 1};
      questions++;
    }
  }
  send_datagram(asking_socket, &datagram);
  // The kernel has answered when the call returns.
  if (recvmmsg(asking_socket, headers, questions, MSG_DONTWAIT, NULL) != (int)questions) fail("read the answers");
}

static inline void ask_about_route(int is_gone) {
  static const char *const probes[] = {"17.253.0.1", "193.0.14.129"};
  static int interface_index;
  if (asking_socket < 0) {
    asking_socket = open_rtnetlink(0, 0);
    interface_index = (int)if_nametoindex(NEAR_INTERFACE);
  }
  put_questions(probes, 2, RTM_F_LOOKUP_TABLE | RTM_F_FIB_MATCH, 1, 0);
  if (is_gone) put_questions(probes, 1, RTM_F_LOOKUP_TABLE | RTM_F_FIB_MATCH, 0, interface_index);
}
