#define _GNU_SOURCE
#include "CSystem.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#ifdef __linux__
#include <fcntl.h>
#include <string.h>
#include <sys/fanotify.h>
#include <sys/inotify.h>
#include <sys/vfs.h>
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

// Since Linux 5.17; older headers lack it.
#ifndef FAN_RENAME
#define FAN_RENAME 0x10000000
#endif
#ifndef FAN_REPORT_DFID_NAME
#define FAN_REPORT_DFID_NAME 0x00000c00
#endif

int csystem_tree_watcher_create(void) {
  int watcher = fanotify_init(
      FAN_CLASS_NOTIF | FAN_CLOEXEC | FAN_UNLIMITED_QUEUE | FAN_REPORT_DFID_NAME, O_RDONLY);
  return watcher < 0 ? -errno : watcher;
}

int csystem_tree_watch(int watcher, int directory, int *renames) {
  uint64_t mask =
      FAN_CREATE | FAN_DELETE | FAN_DELETE_SELF | FAN_MODIFY | FAN_ATTRIB | FAN_ONDIR;
  unsigned flags = FAN_MARK_ADD | FAN_MARK_FILESYSTEM | FAN_MARK_ONLYDIR;
  *renames = 1;
  if (fanotify_mark(watcher, flags, mask | FAN_RENAME, directory, ".") == 0) return 0;
  if (errno != EINVAL) return -errno;
  *renames = 0;
  mask |= FAN_MOVED_FROM | FAN_MOVED_TO;
  return fanotify_mark(watcher, flags, mask, directory, ".") < 0 ? -errno : 0;
}

long csystem_folder_handle(int directory, void *buffer, size_t size) {
  struct statfs facts;
  union {
    struct file_handle handle;
    char room[sizeof(struct file_handle) + MAX_HANDLE_SZ];
  } found;
  int mount;
  found.handle.handle_bytes = MAX_HANDLE_SZ;
  if (fstatfs(directory, &facts) < 0) return -errno;
  if (name_to_handle_at(directory, "", &found.handle, &mount, AT_EMPTY_PATH) < 0) return -errno;
  size_t length = sizeof(struct file_handle) + found.handle.handle_bytes;
  if (sizeof facts.f_fsid + length > size) return -EOVERFLOW;
  memcpy(buffer, &facts.f_fsid, sizeof facts.f_fsid);
  memcpy((char *)buffer + sizeof facts.f_fsid, &found.handle, length);
  return (long)(sizeof facts.f_fsid + length);
}

int csystem_open_handle(int mount, const void *handle, size_t size) {
  union {
    struct file_handle handle;
    char room[sizeof(struct file_handle) + MAX_HANDLE_SZ];
  } wanted;
  size_t head = sizeof(((struct statfs *)0)->f_fsid);
  if (size < head + sizeof(struct file_handle) || size - head > sizeof wanted) return -EINVAL;
  memcpy(&wanted, (const char *)handle + head, size - head);
  if (wanted.handle.handle_bytes != size - head - sizeof(struct file_handle)) return -EINVAL;
  int folder =
      open_by_handle_at(mount, &wanted.handle, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOATIME);
  return folder < 0 ? -errno : folder;
}

#else

int csystem_tree_watcher_create(void) { return -ENOSYS; }
int csystem_tree_watch(int watcher, int directory, int *renames) {
  (void)watcher;
  (void)directory;
  (void)renames;
  return -ENOSYS;
}
long csystem_folder_handle(int directory, void *buffer, size_t size) {
  (void)directory;
  (void)buffer;
  (void)size;
  return -ENOSYS;
}
int csystem_open_handle(int mount, const void *handle, size_t size) {
  (void)mount;
  (void)handle;
  (void)size;
  return -ENOSYS;
}
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
