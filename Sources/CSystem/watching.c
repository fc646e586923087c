#define _GNU_SOURCE
#include "CSystem.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/inotify.h>
#else
#include <sys/random.h>
#endif

int csystem_random(void *buffer, size_t size) { return getentropy(buffer, size) < 0 ? errno : 0; }

#ifdef __linux__

int csystem_watcher_create(void) {
  int watcher = inotify_init1(IN_CLOEXEC);
  return watcher < 0 ? -errno : watcher;
}

int csystem_watch(int watcher, int directory) {
  // The path of the open folder itself, even if its real path has changed or is too long.
  char path[32];
  snprintf(path, sizeof path, "/proc/self/fd/%d", directory);
  int number = inotify_add_watch(watcher, path,
                                 IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_MODIFY |
                                     IN_ATTRIB | IN_ONLYDIR | IN_EXCL_UNLINK);
  return number < 0 ? -errno : number;
}

void csystem_unwatch(int watcher, int number) { inotify_rm_watch(watcher, number); }

#else

int csystem_watcher_create(void) { return -ENOSYS; }
int csystem_watch(int watcher, int directory) {
  (void)watcher;
  (void)directory;
  return -ENOSYS;
}
void csystem_unwatch(int watcher, int number) {
  (void)watcher;
  (void)number;
}

#endif
