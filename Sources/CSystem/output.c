#define _GNU_SOURCE
#include "CSystem.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

#ifdef O_PATH
const int csystem_folder_access = O_PATH;
#else
const int csystem_folder_access = O_RDONLY;
#endif

#ifdef O_TMPFILE
const int csystem_unnamed_file = O_TMPFILE;
#else
const int csystem_unnamed_file = 0;
#endif

int csystem_terminal_width(int descriptor) {
  struct winsize size;
  if (ioctl(descriptor, TIOCGWINSZ, &size) != 0) return 0;
  return size.ws_col;
}

int csystem_rename_new(int directory, const char *name, const char *other) {
#if defined(__APPLE__)
  int result = renameatx_np(directory, name, directory, other, RENAME_EXCL);
#elif defined(RENAME_NOREPLACE)
  int result = renameat2(directory, name, directory, other, RENAME_NOREPLACE);
#else
  int result = -1;
  errno = ENOSYS;
#endif
  if (result == 0) return 0;
  if (errno != ENOSYS && errno != EINVAL && errno != ENOTSUP) return errno;
  // If the file system can't: linkat never replaces an entry; afterwards the old name is removed.
  if (linkat(directory, name, directory, other, 0) != 0) return errno;
  return unlinkat(directory, name, 0) == 0 ? 0 : errno;
}
