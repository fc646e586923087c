#define _GNU_SOURCE
#include "CSystem.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Folders are removed down to this depth, so that the stack of a signal handler is enough.
enum { deepest = 24 };
enum { attempts = 200, pause_between = 10 };

static void remove_entry(int folder, const char *name, int depth);

static void remove_unless_dots(int folder, const char *name, int depth) {
  if (strcmp(name, ".") != 0 && strcmp(name, "..") != 0) remove_entry(folder, name, depth);
}

static void remove_contents(int folder, int depth) {
#ifdef __linux__
  // Not readdir, which takes locks and memory.
  _Alignas(struct dirent64) char records[512];
  ssize_t count;
  while ((count = csystem_list(folder, records, sizeof records)) > 0) {
    for (ssize_t start = 0; start < count;) {
      const struct dirent64 *record = (const struct dirent64 *)(records + start);
      start += record->d_reclen;
      remove_unless_dots(folder, record->d_name, depth);
    }
  }
#else
  DIR *stream = fdopendir(dup(folder));
  if (!stream) return;
  for (struct dirent *record; (record = readdir(stream));) {
    remove_unless_dots(folder, record->d_name, depth);
  }
  closedir(stream);
#endif
}

// Links are removed and not followed.
static void remove_entry(int folder, const char *name, int depth) {
  if (unlinkat(folder, name, 0) == 0 || depth == 0) return;
  int inner = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (inner >= 0) {
    remove_contents(inner, depth - 1);
    close(inner);
  }
  unlinkat(folder, name, AT_REMOVEDIR);
}

void csystem_remove_tree(int parent, const char *name) {
  for (int attempt = 0; attempt < attempts; attempt++) {
    remove_entry(parent, name, deepest);
    struct stat facts;
    if (fstatat(parent, name, &facts, AT_SYMLINK_NOFOLLOW) != 0 && errno == ENOENT) return;
    // A program that was killed just now may still add files.
    poll(NULL, 0, pause_between);
  }
}
