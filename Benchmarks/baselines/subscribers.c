// subscribers -- many subscribers of a daemon in one process, with the time and content of each delivery.
//
//   subscribers [-r REQUEST] [-t] SOCKET COUNT
//
// With a request (varlink) each sends it and frames end with NUL; without, each only connects and frames end with a
// newline. With -t, each frame is handed to a second thread and arrives there. Waits until the socket is there. Prints
// "ready N" when each has its first frame, and at SIGTERM one line per frame: SUBSCRIBER ARRIVAL_NS +|-. A frame of a
// varlink error, or the end of a connection, ends the program with 70.
#define _GNU_SOURCE
#include "unixsocket.h"
#include <pthread.h>
#include <semaphore.h>
#include <sys/epoll.h>

enum { MOST_FRAMES = 4 << 20, FRAME_SIZE = 8192, READY_AT_ONCE = 256, RETRY_NS = 100 * 1000 };

struct frame {
  uint64_t arrival;
  uint32_t subscriber;
  char state;
};

struct subscriber {
  int descriptor, subscribed;
  size_t held;
  char *begun;  // the part of a frame that has come so far; mostly a frame comes whole
};

static struct frame frames[MOST_FRAMES];
static size_t frame_count;
static struct subscriber *subscribers;
static long subscriber_count, subscribed;
static char end_of_frame = '\n';
static volatile sig_atomic_t stopping;
static int hands_over;
static sem_t handed_over;  // counts the frames that the second thread has not seen

static void stop(int signal) {
  (void)signal;
  stopping = 1;
}

static int contains(const char *frame, size_t length, const char *text) {
  return memmem(frame, length, text, strlen(text)) != NULL;
}

static char state_of(const char *frame, size_t length) {
  if (end_of_frame == '\n') return frame[0] == 's' ? '+' : '-';
  if (contains(frame, length, "\"status\":\"satisfied\"")) return '+';
  if (contains(frame, length, "\"status\":\"unsatisfied\"")) return '-';
  fprintf(stderr, "subscribers: this is no path: %.*s\n", (int)length, frame);
  exit(70);
}

static void welcome(uint32_t index) {
  if (subscribers[index].subscribed) return;
  subscribers[index].subscribed = 1;
  if (++subscribed < subscriber_count) return;
  printf("ready %ld\n", subscribed);
  fflush(stdout);
}

static void note(uint32_t index, uint64_t arrival, const char *frame, size_t length) {
  if (frame_count == MOST_FRAMES) {
    errno = ENOSPC;
    fail("note so many frames");
  }
  frames[frame_count++] = (struct frame){arrival, index, state_of(frame, length)};
  if (!hands_over) {
    welcome(index);
  } else if (sem_post(&handed_over) < 0) {
    fail("hand a frame over");
  }
}

static void *take_frames(void *unused) {
  for (size_t next = 0;; next++) {
    while (sem_wait(&handed_over) < 0) {
    }
    uint64_t arrival = monotonic_nanoseconds();
    if (next == frame_count) return unused;  // the last one is no frame, but the end
    frames[next].arrival = arrival;
    welcome(frames[next].subscriber);
  }
}

static void hold(struct subscriber *subscriber, const char *bytes, size_t length) {
  if (length > 0 && subscriber->begun == NULL) subscriber->begun = malloc(FRAME_SIZE);
  if (length > 0 && subscriber->begun == NULL) fail("hold a frame");
  if (length > 0) memmove(subscriber->begun, bytes, length);
  subscriber->held = length;
}

static void receive(uint32_t index) {
  static char buffer[2 * FRAME_SIZE];
  struct subscriber *subscriber = &subscribers[index];
  size_t held = subscriber->held;
  if (held > 0) memcpy(buffer, subscriber->begun, held);
  ssize_t received = recv(subscriber->descriptor, buffer + held, FRAME_SIZE, MSG_DONTWAIT);
  uint64_t arrival = monotonic_nanoseconds();
  if (received < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (received < 0) fail("read what subscriber %u is told", index);
  if (received == 0) {
    fprintf(stderr, "subscribers: the daemon has ended the connection of subscriber %u\n", index);
    exit(70);
  }
  char *start = buffer, *limit = buffer + held + received, *end;
  while ((end = memchr(start, end_of_frame, (size_t)(limit - start))) != NULL) {
    note(index, arrival, start, (size_t)(end - start));
    start = end + 1;
  }
  if (limit - start > FRAME_SIZE) {
    errno = EMSGSIZE;
    fail("hold a frame of subscriber %u", index);
  }
  hold(subscriber, start, (size_t)(limit - start));
}

static int connect_patiently(const char *path) {
  struct sockaddr_un address = unix_address(path);
  int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (descriptor < 0) fail("make a socket");
  while (connect(descriptor, (struct sockaddr *)&address, sizeof address) < 0) {
    if (stopping) exit(0);
    if (errno != ENOENT && errno != ECONNREFUSED && errno != EINTR) fail("connect to %s", path);
    sleep_until(monotonic_nanoseconds() + RETRY_NS);
  }
  return descriptor;
}

static void print_frames(void) {
  for (size_t index = 0; index < frame_count; index++) {
    const struct frame *frame = &frames[index];
    printf("%" PRIu32 " %" PRIu64 " %c\n", frame->subscriber, frame->arrival, frame->state);
  }
}

static void subscribe_all(int queue, const char *path, const char *request) {
  for (long index = 0; index < subscriber_count; index++) {
    int descriptor = connect_patiently(path);
    if (request != NULL) {
      size_t length = strlen(request) + 1;
      if (send(descriptor, request, length, MSG_NOSIGNAL) != (ssize_t)length) fail("send the request");
    }
    subscribers[index].descriptor = descriptor;
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = (uint32_t)index};
    if (epoll_ctl(queue, EPOLL_CTL_ADD, descriptor, &event) < 0) fail("watch a subscriber");
  }
}

int main(int count, char **arguments) {
  const char *help = "subscribers [-r REQUEST] [-t] SOCKET COUNT", *request = NULL;
  int option;
  while ((option = getopt(count, arguments, "r:t")) != -1) {
    if (option == 'r') {
      request = optarg;
      end_of_frame = '\0';
    } else if (option == 't') {
      hands_over = 1;
    } else {
      usage(help);
    }
  }
  if (count - optind != 2 || (subscriber_count = atol(arguments[optind + 1])) < 1) usage(help);

  end_with_parent();
  raise_descriptor_limit();
  struct sigaction action = {.sa_handler = stop};
  sigaction(SIGTERM, &action, NULL);
  sigaction(SIGINT, &action, NULL);
  sigset_t none, terminate;
  sigemptyset(&none);
  sigemptyset(&terminate);
  sigaddset(&terminate, SIGTERM);
  sigaddset(&terminate, SIGINT);
  subscribers = calloc((size_t)subscriber_count, sizeof *subscribers);
  int queue = epoll_create1(EPOLL_CLOEXEC);
  if (subscribers == NULL || queue < 0) fail("prepare");
  subscribe_all(queue, arguments[optind], request);

  sigprocmask(SIG_BLOCK, &terminate, NULL);
  pthread_t second;
  if (hands_over && (sem_init(&handed_over, 0, 0) < 0 || pthread_create(&second, NULL, take_frames, NULL) != 0)) {
    fail("start a second thread");
  }
  while (!stopping) {
    struct epoll_event ready[READY_AT_ONCE];
    int number = epoll_pwait(queue, ready, READY_AT_ONCE, -1, &none);
    for (int index = 0; index < number; index++) receive(ready[index].data.u32);
  }
  if (hands_over && (sem_post(&handed_over) < 0 || pthread_join(second, NULL) != 0)) fail("end the second thread");
  print_frames();
  return 0;
}
