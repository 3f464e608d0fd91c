#ifndef CMICROHTTPD_SHIM_H
#define CMICROHTTPD_SHIM_H

#include <microhttpd.h>
#include <netinet/in.h>
#include <stdint.h>
#include <sys/socket.h>

// The parts of libmicrohttpd that Swift cannot import: variadic functions and computed constants.

static const int64_t end_of_stream = MHD_CONTENT_READER_END_OF_STREAM;
static const uint64_t unknown_size = MHD_SIZE_UNKNOWN;

/// Serves on the loopback address of a family, with a thread of its own; NULL and errno on failure. A connection that
/// is idle for `seconds` seconds is closed, unless it is suspended.
static inline struct MHD_Daemon *serve_on_loopback(int family, uint16_t port, unsigned connections, unsigned seconds,
                                                   MHD_AccessHandlerCallback handler, void *context) {
  struct sockaddr_in ipv4 = {
      .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  struct sockaddr_in6 ipv6 = {
      .sin6_family = AF_INET6, .sin6_port = htons(port), .sin6_addr = IN6ADDR_LOOPBACK_INIT};
  const void *address = family == AF_INET6 ? (const void *)&ipv6 : (const void *)&ipv4;
  unsigned flags = MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | (family == AF_INET6 ? MHD_USE_IPv6 : 0);
  return MHD_start_daemon(flags, port, NULL, NULL, handler, context, MHD_OPTION_SOCK_ADDR, address,
                          MHD_OPTION_CONNECTION_LIMIT, connections, MHD_OPTION_CONNECTION_TIMEOUT, seconds,
                          MHD_OPTION_END);
}

/// The port on which it listens.
static inline uint16_t port_of(struct MHD_Daemon *daemon) {
  const union MHD_DaemonInfo *information = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT);
  return information ? information->port : 0;
}

#endif
