#define _GNU_SOURCE
#include "CSystem.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

int csystem_lookup_portable(int directory, const char *name, bool follow,
                            struct csystem_facts *facts) {
  struct stat found;
  int result;
  do {
    result = *name ? fstatat(directory, name, &found, follow ? 0 : AT_SYMLINK_NOFOLLOW)
                   : fstat(directory, &found);
  } while (result < 0 && errno == EINTR);
  if (result < 0) return errno;
  facts->size = found.st_size;
  facts->seconds = found.st_mtime;
#ifdef __APPLE__
  facts->nanoseconds = (uint32_t)found.st_mtimespec.tv_nsec;
#else
  facts->nanoseconds = (uint32_t)found.st_mtim.tv_nsec;
#endif
  facts->device = (uint64_t)found.st_dev;
  facts->inode = (uint64_t)found.st_ino;
  facts->mode = (uint32_t)found.st_mode;
  facts->links = found.st_nlink < UINT32_MAX ? (uint32_t)found.st_nlink : UINT32_MAX;
  facts->owner = (uint32_t)found.st_uid;
  facts->group = (uint32_t)found.st_gid;
  facts->allocated = (int64_t)found.st_blocks * 512;
  return 0;
}

#ifdef __linux__

int csystem_lookup(int directory, const char *name, bool follow, bool storage,
                   struct csystem_facts *facts) {
  struct statx found;
  int flags = AT_NO_AUTOMOUNT | (follow ? 0 : AT_SYMLINK_NOFOLLOW) | (*name ? 0 : AT_EMPTY_PATH);
  unsigned mask = STATX_TYPE | STATX_MODE | STATX_SIZE | STATX_MTIME | STATX_INO |
                  (storage ? STATX_NLINK | STATX_BLOCKS | STATX_UID | STATX_GID : 0);
  int result;
  do {
    result = statx(directory, name, flags, mask, &found);
  } while (result < 0 && errno == EINTR);
  if (result < 0) {
    // The kernel has no statx, or a sandbox blocks it.
    if (errno == ENOSYS || errno == EPERM) return csystem_lookup_portable(directory, name, follow, facts);
    return errno;
  }
  facts->size = (int64_t)found.stx_size;
  facts->seconds = found.stx_mtime.tv_sec;
  facts->nanoseconds = found.stx_mtime.tv_nsec;
  facts->device = (uint64_t)found.stx_dev_major << 32 | found.stx_dev_minor;
  facts->inode = found.stx_ino;
  facts->mode = found.stx_mode;
  facts->links = found.stx_nlink;
  facts->owner = found.stx_uid;
  facts->group = found.stx_gid;
  facts->allocated = (int64_t)found.stx_blocks * 512;
  return 0;
}

ssize_t csystem_list(int directory, void *buffer, size_t size) {
  ssize_t result;
  do {
    result = getdents64(directory, buffer, size);
  } while (result < 0 && errno == EINTR);
  return result < 0 ? -errno : result;
}

#else

int csystem_lookup(int directory, const char *name, bool follow, bool storage,
                   struct csystem_facts *facts) {
  (void)storage;
  return csystem_lookup_portable(directory, name, follow, facts);
}

ssize_t csystem_list(int directory, void *buffer, size_t size) {
  (void)directory, (void)buffer, (void)size;
  return -ENOSYS;
}

#endif
