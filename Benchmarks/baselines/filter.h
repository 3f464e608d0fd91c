// A kernel filter that lets only routes with a short prefix through to a netlink socket, and all that is no route.
#pragma once
#include "rtnetlink.h"
#include <linux/filter.h>
#include <stddef.h>

static inline void drop_routes_longer_than(unsigned longest_prefix, int descriptor) {
  const unsigned type = offsetof(struct nlmsghdr, nlmsg_type);
  const unsigned prefix_length = NLMSG_HDRLEN + offsetof(struct rtmsg, rtm_dst_len);
  struct sock_filter program[] = {
      // A classic filter loads network byte order; nlmsg_type is in host byte order.
      BPF_STMT(BPF_LD | BPF_H | BPF_ABS, type),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, htons(RTM_NEWROUTE), 1, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, htons(RTM_DELROUTE), 0, 2),
      BPF_STMT(BPF_LD | BPF_B | BPF_ABS, prefix_length),
      BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, longest_prefix, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, UINT32_MAX),
      BPF_STMT(BPF_RET | BPF_K, 0),
  };
  struct sock_fprog filter = {.len = sizeof program / sizeof program[0], .filter = program};
  if (setsockopt(descriptor, SOL_SOCKET, SO_ATTACH_FILTER, &filter, sizeof filter) < 0) fail("attach the filter");
}
