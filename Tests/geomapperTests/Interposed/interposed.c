// Put in front of libc by LD_PRELOAD: lets one call of the tool fail, or lets something happen just
// before it. Other programs with it in their environment are left alone.
//
//   FAULT_CALL     openat, getdents64, statx, read, pread, write, renameat, mkdirat, fchmod, flock,
//                  fstat, fstatat, readlinkat, pthread_create; any for all of them, but what is written to
//                  standard error
//   FAULT_ON       how the path that the call is about has to end; any path if it isn't given
//   FAULT_GATE     a file without which no call is counted
//   FAULT_MARK     a file that is made when a call is hit
//   FAULT_AFTER    how many such calls go well first
//   FAULT_TIMES    how many are hit then; all if it isn't given
//   FAULT_ERRNO    the reason with which they fail
//   FAULT_SIGNAL   a signal that is sent to the process, which then waits for its end
//   FAULT_RUN      a shell command that is run first
//   FAULT_CHUNK    bytes that getdents64 gives at a time
//   FAULT_NO_KIND  getdents64 doesn't say what an entry is
//   FAULT_LATER    seconds by which it is later as soon as the file of FAULT_GATE is there
//   FAULT_MOVE     the environment is moved before the tool starts, as faketime does
//   FAULT_SIZE, FAULT_SECONDS   what statx says of the path of FAULT_ON

#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static atomic_long calls;

static const char *setting(const char *name) {
  return strcmp(program_invocation_short_name, "geomapper") == 0 ? getenv(name) : NULL;
}

__attribute__((constructor)) static void move_environment(void) {
  if (setting("FAULT_MOVE")) setenv("FAULT_MOVED", "1", 1);
}

static bool is_about(int directory, const char *name) {
  const char *end = setting("FAULT_ON");
  if (!end) return true;
  char path[2 * PATH_MAX] = "";
  size_t length = 0;
  if (!name || *name != '/') {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", directory);
    ssize_t found = directory == AT_FDCWD ? (getcwd(path, PATH_MAX) ? (ssize_t)strlen(path) : -1)
                                          : readlink(link, path, PATH_MAX);
    if (found < 0) return false;
    length = (size_t)found;
  }
  snprintf(path + length, sizeof path - length, "%s%s", name && *name != '/' && *name ? "/" : "",
           name ? name : "");
  length = strlen(path);
  return strlen(end) <= length && strcmp(path + length - strlen(end), end) == 0;
}

static bool is_chosen(const char *call, int directory, const char *name) {
  const char *chosen = setting("FAULT_CALL"), *gate = setting("FAULT_GATE");
  if (!chosen) return false;
  if (strcmp(chosen, "any") == 0) {
    if (strcmp(call, "write") == 0 && directory == STDERR_FILENO) return false;
    // While a thread is made, signals are blocked.
    if (strcmp(call, "pthread_create") == 0 && setting("FAULT_SIGNAL")) return false;
  } else if (strcmp(chosen, call) != 0) {
    return false;
  }
  if (gate && syscall(SYS_faccessat, AT_FDCWD, gate, F_OK) != 0) return false;
  return is_about(directory, name);
}

// Whether the call is to fail, with errno set.
static bool fails(const char *call, int directory, const char *name) {
  int saved = errno;
  if (!is_chosen(call, directory, name)) {
    errno = saved;
    return false;
  }
  const char *after = setting("FAULT_AFTER"), *times = setting("FAULT_TIMES");
  long number = atomic_fetch_add(&calls, 1) - (after ? atol(after) : 0);
  errno = saved;
  if (number < 0 || (times && number >= atol(times))) return false;
  const char *mark = setting("FAULT_MARK");
  if (mark) syscall(SYS_close, syscall(SYS_openat, AT_FDCWD, mark, O_CREAT | O_WRONLY, 0600));
  const char *command = setting("FAULT_RUN");
  if (command && system(command) != 0) abort();
  const char *signal = setting("FAULT_SIGNAL");
  if (signal) {
    kill(getpid(), atoi(signal));
    // One that stops the process lets it go on later.
    if (atoi(signal) != SIGTSTP) for (;;) pause();
  }
  const char *reason = setting("FAULT_ERRNO");
  errno = reason ? atoi(reason) : saved;
  return reason != NULL;
}

#define OPENAT(call)                                               \
  int call(int directory, const char *name, int flags, ...) {      \
    mode_t mode = 0;                                               \
    if (flags & (O_CREAT | O_TMPFILE)) {                           \
      va_list rest;                                                \
      va_start(rest, flags);                                       \
      mode = va_arg(rest, mode_t);                                 \
      va_end(rest);                                                \
    }                                                              \
    if (fails("openat", directory, name)) return -1;               \
    return NEXT(call)(directory, name, flags, mode);               \
  }

OPENAT(openat)
OPENAT(openat64)

ssize_t getdents64(int directory, void *buffer, size_t size) {
  if (fails("getdents64", directory, NULL)) return -1;
  const char *chunk = setting("FAULT_CHUNK");
  ssize_t filled =
      NEXT(getdents64)(directory, buffer, chunk && is_about(directory, NULL) ? (size_t)atol(chunk) : size);
  if (setting("FAULT_NO_KIND")) {
    for (ssize_t offset = 0; offset < filled;) {
      struct dirent64 *entry = (struct dirent64 *)((char *)buffer + offset);
      entry->d_type = DT_UNKNOWN;
      offset += entry->d_reclen;
    }
  }
  return filled;
}

int statx(int directory, const char *restrict name, int flags, unsigned mask,
          struct statx *restrict facts) {
  if (fails("statx", directory, name)) return -1;
  int result = NEXT(statx)(directory, name, flags, mask, facts);
  const char *size = setting("FAULT_SIZE"), *seconds = setting("FAULT_SECONDS");
  if (result == 0 && (size || seconds) && is_about(directory, name)) {
    if (size) facts->stx_size = strtoull(size, NULL, 10);
    if (seconds) facts->stx_mtime.tv_sec = strtoll(seconds, NULL, 10);
  }
  return result;
}

ssize_t write(int file, const void *bytes, size_t count) {
  if (fails("write", file, NULL)) return -1;
  return NEXT(write)(file, bytes, count);
}

ssize_t read(int file, void *bytes, size_t count) {
  if (fails("read", file, NULL)) return -1;
  return NEXT(read)(file, bytes, count);
}

ssize_t pread(int file, void *bytes, size_t count, off_t offset) {
  if (fails("pread", file, NULL)) return -1;
  return NEXT(pread)(file, bytes, count, offset);
}

int mkdirat(int directory, const char *name, mode_t mode) {
  if (fails("mkdirat", directory, name)) return -1;
  return NEXT(mkdirat)(directory, name, mode);
}

int fchmod(int file, mode_t mode) {
  if (fails("fchmod", file, NULL)) return -1;
  return NEXT(fchmod)(file, mode);
}

int flock(int file, int operation) {
  if (fails("flock", file, NULL)) return -1;
  return NEXT(flock)(file, operation);
}

int fstat(int file, struct stat *facts) {
  if (fails("fstat", file, NULL)) return -1;
  return NEXT(fstat)(file, facts);
}

int fstatat(int directory, const char *restrict name, struct stat *restrict facts, int flags) {
  if (fails("fstatat", directory, name)) return -1;
  return NEXT(fstatat)(directory, name, facts, flags);
}

ssize_t readlinkat(int directory, const char *restrict name, char *restrict bytes, size_t size) {
  if (fails("readlinkat", directory, name)) return -1;
  return NEXT(readlinkat)(directory, name, bytes, size);
}

int renameat(int from, const char *name, int to, const char *other) {
  if (fails("renameat", to, other)) return -1;
  return NEXT(renameat)(from, name, to, other);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *),
                   void *context) {
  if (fails("pthread_create", AT_FDCWD, NULL)) return errno;
  return NEXT(pthread_create)(thread, attributes, body, context);
}

int clock_gettime(clockid_t clock, struct timespec *time) {
  int result = NEXT(clock_gettime)(clock, time);
  const char *later = setting("FAULT_LATER"), *gate = setting("FAULT_GATE");
  if (later && gate && syscall(SYS_faccessat, AT_FDCWD, gate, F_OK) == 0) time->tv_sec += atol(later);
  return result;
}
