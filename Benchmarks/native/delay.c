// Simulates a slow file system: preloaded before libc, this library delays every call that would
// send a request to the server of a network file system.
//
//   cc -std=c11 -O2 -fPIC -shared delay.c -o delay.so
//   GEOMAPPER_DELAY=200 LD_PRELOAD=./delay.so geomapper map …
//
// GEOMAPPER_DELAY is in microseconds, or `forever`. The wait is a sleep, so it uses no processor time,
// and waits of several threads overlap, as those for a server do. With GEOMAPPER_JITTER a wait takes
// between nothing and twice as long. With GEOMAPPER_DELAY_IN only calls for folders of that name are
// delayed. A listing by readdir waits twice when it begins, as its calls are inside libc. Programs
// that make system calls without libc, or by other functions, are not delayed.

#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <time.h>

static long microseconds;
static bool is_forever, has_jitter;
static const char *folder;
// The descriptors of folders of that name.
static bool is_slow[1 << 16];
static int (*real_openat)(int, const char *, int, ...);
static ssize_t (*real_getdents64)(int, void *, size_t);
static DIR *(*real_fdopendir)(int);
static int (*real_fstatat)(int, const char *restrict, struct stat *restrict, int);
static char *(*real_realpath)(const char *restrict, char *restrict);
static int (*real_statx)(int, const char *restrict, int, unsigned, struct statx *restrict);

__attribute__((constructor)) static void begin(void) {
  // The conversion that POSIX requires for dlsym.
  *(void **)&real_openat = dlsym(RTLD_NEXT, "openat");
  *(void **)&real_getdents64 = dlsym(RTLD_NEXT, "getdents64");
  *(void **)&real_fdopendir = dlsym(RTLD_NEXT, "fdopendir");
  *(void **)&real_fstatat = dlsym(RTLD_NEXT, "fstatat");
  *(void **)&real_realpath = dlsym(RTLD_NEXT, "realpath");
  *(void **)&real_statx = dlsym(RTLD_NEXT, "statx");
  const char *text = getenv("GEOMAPPER_DELAY");
  is_forever = text && strcmp(text, "forever") == 0;
  microseconds = text ? strtol(text, NULL, 10) : 0;
  has_jitter = getenv("GEOMAPPER_JITTER") != NULL;
  folder = getenv("GEOMAPPER_DELAY_IN");
  // Without this, sleeps are 50 µs longer. Threads inherit it.
  prctl(PR_SET_TIMERSLACK, 1UL);
}

static void wait_for_server(void) {
  if (!is_forever && microseconds <= 0) return;
  int before = errno;
  long wait = microseconds;
  if (has_jitter) {
    static _Thread_local unsigned seed;
    if (seed == 0) seed = (unsigned)(size_t)&seed;
    wait = (long)(2.0 * microseconds * rand_r(&seed) / RAND_MAX);
  }
  struct timespec rest = {.tv_sec = wait / 1000000, .tv_nsec = wait % 1000000 * 1000};
  do {
    while (nanosleep(&rest, &rest) != 0 && errno == EINTR) {
    }
    rest.tv_sec = 3600;
  } while (is_forever);
  errno = before;
}

static bool is_meant(int descriptor) {
  return !folder || (descriptor >= 0 && descriptor < 1 << 16 && is_slow[descriptor]);
}

// Whether a path ends with the name of the slow folder.
static bool is_named(const char *path) {
  const char *name = strrchr(path, '/');
  return folder && strcmp(name ? name + 1 : path, folder) == 0;
}

int openat(int directory, const char *path, int flags, ...) {
  mode_t mode = 0;
  if (flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE) {
    va_list rest;
    va_start(rest, flags);
    mode = va_arg(rest, mode_t);
    va_end(rest);
  }
  if (is_named(path) || is_meant(directory)) wait_for_server();
  int descriptor = real_openat(directory, path, flags, mode);
  if (descriptor >= 0 && descriptor < 1 << 16) is_slow[descriptor] = is_named(path);
  return descriptor;
}

// The names used by programs compiled with 64-bit file offsets.
int openat64(int, const char *, int, ...) __attribute__((alias("openat")));

ssize_t getdents64(int directory, void *buffer, size_t size) {
  if (is_meant(directory)) wait_for_server();
  return real_getdents64(directory, buffer, size);
}

int statx(int directory, const char *restrict path, int flags, unsigned mask,
          struct statx *restrict facts) {
  if (is_meant(directory) || is_named(path)) wait_for_server();
  return real_statx(directory, path, flags, mask, facts);
}

DIR *fdopendir(int directory) {
  for (int call = 0; call < 2 && is_meant(directory); call++) wait_for_server();
  return real_fdopendir(directory);
}

char *realpath(const char *restrict path, char *restrict resolved) {
  if (is_named(path)) wait_for_server();
  return real_realpath(path, resolved);
}

int fstatat(int directory, const char *restrict path, struct stat *restrict facts, int flags) {
  if (is_meant(directory) || is_named(path)) wait_for_server();
  return real_fstatat(directory, path, facts, flags);
}

int fstatat64(int, const char *restrict, struct stat64 *restrict, int) __attribute__((alias("fstatat")));
