#define _GNU_SOURCE
#include "CSystem.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/epoll.h>
#else
#include <sys/event.h>
#include <time.h>
#endif

static int set_flags(int descriptor) {
  int flags = fcntl(descriptor, F_GETFL);
  if (flags < 0 || fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) < 0) return -1;
  return fcntl(descriptor, F_SETFD, FD_CLOEXEC);
}

static bool is_loopback(const struct sockaddr *address) {
  if (address->sa_family == AF_INET) {
    return ntohl(((const struct sockaddr_in *)address)->sin_addr.s_addr) >> 24 == 127;
  }
  return address->sa_family == AF_INET6 &&
         IN6_IS_ADDR_LOOPBACK(&((const struct sockaddr_in6 *)address)->sin6_addr);
}

static int listen_at(const struct addrinfo *info, uint16_t *bound) {
  int descriptor = socket(info->ai_family, SOCK_STREAM, 0);
  if (descriptor < 0) return -1;
  int on = 1;
  struct sockaddr_storage address;
  socklen_t size = sizeof address;
  // Otherwise the port of a server that has just ended would still be in use.
  setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (set_flags(descriptor) < 0 || bind(descriptor, info->ai_addr, info->ai_addrlen) < 0 ||
      listen(descriptor, 1024) < 0 || getsockname(descriptor, (struct sockaddr *)&address, &size) < 0) {
    int saved = errno;
    close(descriptor);
    errno = saved;
    return -1;
  }
  *bound = ntohs(address.ss_family == AF_INET6 ? ((struct sockaddr_in6 *)&address)->sin6_port
                                               : ((struct sockaddr_in *)&address)->sin_port);
  return descriptor;
}

int csystem_listen(const char *host, uint16_t port, uint16_t *bound, bool *loopback, int *reason) {
  struct addrinfo hints, *found = NULL;
  char service[8];
  memset(&hints, 0, sizeof hints);
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
  snprintf(service, sizeof service, "%u", (unsigned)port);
  if (getaddrinfo(host, service, &hints, &found) != 0) {
    *reason = -1;
    return -1;
  }
  int descriptor = -1;
  *reason = EADDRNOTAVAIL;
  for (struct addrinfo *info = found; info && descriptor < 0; info = info->ai_next) {
    descriptor = listen_at(info, bound);
    *loopback = is_loopback(info->ai_addr);
    if (descriptor < 0) *reason = errno;
  }
  freeaddrinfo(found);
  return descriptor;
}

// The address of the interface that leads outside. Connecting a datagram socket sends nothing.
static bool outward_address(int family, const char *outside, char *text, socklen_t size) {
  struct addrinfo hints = {.ai_family = family, .ai_socktype = SOCK_DGRAM, .ai_flags = AI_NUMERICHOST}, *found = NULL;
  if (getaddrinfo(outside, "9", &hints, &found) != 0) return false;
  struct sockaddr_storage own;
  socklen_t length = sizeof own;
  int descriptor = socket(family, SOCK_DGRAM, 0);
  bool is_known = descriptor >= 0 && connect(descriptor, found->ai_addr, found->ai_addrlen) == 0 &&
                  getsockname(descriptor, (struct sockaddr *)&own, &length) == 0 &&
                  !is_loopback((struct sockaddr *)&own) &&
                  getnameinfo((struct sockaddr *)&own, length, text, size, NULL, 0, NI_NUMERICHOST) == 0;
  if (descriptor >= 0) close(descriptor);
  freeaddrinfo(found);
  return is_known;
}

bool csystem_machine_address(char *text, size_t size) {
  // These addresses are reserved for documentation (RFC 5737, RFC 3849), so the default route applies.
  if (outward_address(AF_INET, "192.0.2.1", text, (socklen_t)size)) return true;
  if (outward_address(AF_INET6, "2001:db8::1", text, (socklen_t)size)) return true;
  struct ifaddrs *all = NULL;
  bool is_known = false;
  if (getifaddrs(&all) != 0) return false;
  for (struct ifaddrs *one = all; one && !is_known; one = one->ifa_next) {
    if (!one->ifa_addr || one->ifa_addr->sa_family != AF_INET || is_loopback(one->ifa_addr)) continue;
    if (!(one->ifa_flags & IFF_UP)) continue;
    is_known = getnameinfo(one->ifa_addr, sizeof(struct sockaddr_in), text, (socklen_t)size, NULL, 0, NI_NUMERICHOST) == 0;
  }
  freeifaddrs(all);
  return is_known;
}

int csystem_accept(int listener) {
  int connection;
  do {
    connection = accept(listener, NULL, NULL);
  } while (connection < 0 && (errno == EINTR || errno == ECONNABORTED));
  if (connection < 0) return -errno;
  int on = 1;
  // Responses go out as a whole: waiting for more to send only delays them.
  setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  if (set_flags(connection) < 0) {
    int saved = errno;
    close(connection);
    return -saved;
  }
  return connection;
}

ssize_t csystem_receive(int connection, void *buffer, size_t size) {
  ssize_t count;
  do {
    count = recv(connection, buffer, size, 0);
  } while (count < 0 && errno == EINTR);
  return count < 0 ? -errno : count;
}

// Sending to a closed connection must be an error of the call and not end the process. On systems
// without this flag, the process has to ignore SIGPIPE.
#ifdef MSG_NOSIGNAL
static const int send_flags = MSG_NOSIGNAL;
#else
static const int send_flags = 0;
#endif

ssize_t csystem_send(int connection, const void *buffer, size_t size) {
  ssize_t count;
  do {
    count = send(connection, buffer, size, send_flags);
  } while (count < 0 && errno == EINTR);
  return count < 0 ? -errno : count;
}

void csystem_end_sending(int connection) { shutdown(connection, SHUT_WR); }

#ifdef __linux__

int csystem_poller_create(void) {
  int poller = epoll_create1(EPOLL_CLOEXEC);
  return poller < 0 ? -errno : poller;
}

int csystem_poller_set(int poller, int descriptor, uint64_t key, bool is_new, bool read, bool write) {
  struct epoll_event event = {.events = EPOLLRDHUP, .data.u64 = key};
  if (read) event.events |= EPOLLIN;
  if (write) event.events |= EPOLLOUT;
  return epoll_ctl(poller, is_new ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, descriptor, &event) < 0 ? errno : 0;
}

int csystem_poller_wait(int poller, struct csystem_event *events, int count, int milliseconds) {
  struct epoll_event raw[256];
  if (count > 256) count = 256;
  int found = epoll_wait(poller, raw, count, milliseconds);
  if (found < 0) return errno == EINTR ? 0 : -errno;
  for (int index = 0; index < found; index++) {
    uint32_t bits = raw[index].events;
    events[index] = (struct csystem_event){.key = raw[index].data.u64,
                                           .readable = bits & EPOLLIN,
                                           .writable = bits & EPOLLOUT,
                                           .gone = bits & (EPOLLRDHUP | EPOLLHUP | EPOLLERR)};
  }
  return found;
}

#else

int csystem_poller_create(void) {
  int poller = kqueue();
  return poller < 0 ? -errno : poller;
}

int csystem_poller_set(int poller, int descriptor, uint64_t key, bool is_new, bool read, bool write) {
  (void)is_new;
  struct kevent changes[2];
  void *data = (void *)(uintptr_t)key;
  // A disabled filter doesn't report a hang-up, so an edge-triggered one is used instead.
  EV_SET(&changes[0], descriptor, EVFILT_READ, EV_ADD | EV_ENABLE | (read ? 0 : EV_CLEAR),
         0, 0, data);
  EV_SET(&changes[1], descriptor, EVFILT_WRITE, EV_ADD | (write ? EV_ENABLE : EV_DISABLE), 0, 0, data);
  return kevent(poller, changes, 2, NULL, 0, NULL) < 0 ? errno : 0;
}

int csystem_poller_wait(int poller, struct csystem_event *events, int count, int milliseconds) {
  struct kevent raw[256];
  if (count > 256) count = 256;
  struct timespec time = {.tv_sec = milliseconds / 1000, .tv_nsec = milliseconds % 1000 * 1000000L};
  int found = kevent(poller, NULL, 0, raw, count, milliseconds < 0 ? NULL : &time);
  if (found < 0) return errno == EINTR ? 0 : -errno;
  for (int index = 0; index < found; index++) {
    events[index] = (struct csystem_event){.key = (uint64_t)(uintptr_t)raw[index].udata,
                                           .readable = raw[index].filter == EVFILT_READ,
                                           .writable = raw[index].filter == EVFILT_WRITE,
                                           .gone = raw[index].flags & EV_EOF};
  }
  return found;
}

#endif

int csystem_pipe(int ends[2]) {
#ifdef __linux__
  return pipe2(ends, O_CLOEXEC) < 0 ? errno : 0;
#else
  if (pipe(ends) < 0) return errno;
  for (int end = 0; end < 2; end++) fcntl(ends[end], F_SETFD, FD_CLOEXEC);
  return 0;
#endif
}

int csystem_wake_pipe(int ends[2]) {
  int reason = csystem_pipe(ends);
  if (reason != 0) return reason;
  if (set_flags(ends[0]) < 0 || set_flags(ends[1]) < 0) {
    int saved = errno;
    close(ends[0]);
    close(ends[1]);
    return saved;
  }
  return 0;
}

void csystem_wake(int writer) {
  // If the pipe is full, the reader wakes anyway.
  ssize_t ignored = write(writer, "", 1);
  (void)ignored;
}

void csystem_wake_drain(int reader) {
  char bytes[256];
  while (read(reader, bytes, sizeof bytes) > 0) {
  }
}
