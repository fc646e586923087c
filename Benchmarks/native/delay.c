// Simulates a slow file system: preloaded before libc, this library delays every call that would
// send a request to the server of a network file system.
//
//   cc -std=c11 -O2 -fPIC -shared delay.c -o delay.so
//   GEOMAPPER_DELAY=200 LD_PRELOAD=./delay.so geomapper map …
//
// GEOMAPPER_DELAY is in microseconds. The wait is a sleep, so it uses no processor time, and waits of
// several threads overlap, as those for a server do. Programs that make system calls without libc,
// or by other functions, are not delayed.

#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <time.h>

static struct timespec delay;
static int (*real_openat)(int, const char *, int, ...);
static ssize_t (*real_getdents64)(int, void *, size_t);
static int (*real_statx)(int, const char *restrict, int, unsigned, struct statx *restrict);

__attribute__((constructor)) static void begin(void) {
  // The conversion that POSIX requires for dlsym.
  *(void **)&real_openat = dlsym(RTLD_NEXT, "openat");
  *(void **)&real_getdents64 = dlsym(RTLD_NEXT, "getdents64");
  *(void **)&real_statx = dlsym(RTLD_NEXT, "statx");
  const char *text = getenv("GEOMAPPER_DELAY");
  long microseconds = text ? strtol(text, NULL, 10) : 0;
  if (microseconds < 0) microseconds = 0;
  delay.tv_sec = microseconds / 1000000;
  delay.tv_nsec = microseconds % 1000000 * 1000;
  // Without this, sleeps are 50 µs longer. Threads inherit it.
  prctl(PR_SET_TIMERSLACK, 1UL);
}

static void wait_for_server(void) {
  if (delay.tv_sec == 0 && delay.tv_nsec == 0) return;
  int before = errno;
  struct timespec rest = delay;
  while (nanosleep(&rest, &rest) != 0 && errno == EINTR) {
  }
  errno = before;
}

int openat(int directory, const char *path, int flags, ...) {
  mode_t mode = 0;
  if (flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE) {
    va_list rest;
    va_start(rest, flags);
    mode = va_arg(rest, mode_t);
    va_end(rest);
  }
  wait_for_server();
  return real_openat(directory, path, flags, mode);
}

// The names used by programs compiled with 64-bit file offsets.
int openat64(int, const char *, int, ...) __attribute__((alias("openat")));

ssize_t getdents64(int directory, void *buffer, size_t size) {
  wait_for_server();
  return real_getdents64(directory, buffer, size);
}

int statx(int directory, const char *restrict path, int flags, unsigned mask,
          struct statx *restrict facts) {
  wait_for_server();
  return real_statx(directory, path, flags, mask, facts);
}
