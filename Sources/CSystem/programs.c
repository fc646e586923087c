#define _GNU_SOURCE
#include "CSystem.h"

#ifdef __GLIBC__
// Swift finds the words next to the environment, but a preloaded library may have moved that.
static struct {
  int count;
  char **words;
} arguments;

__attribute__((constructor)) static void keep_arguments(int count, char **words) {
  arguments.count = count;
  arguments.words = words;
}

char **csystem_arguments(int *count) {
  *count = arguments.count;
  return arguments.words;
}
#else
char **csystem_arguments(int *count) {
  *count = 0;
  return NULL;
}
#endif

int csystem_spawn_folder(posix_spawn_file_actions_t *actions, const char *path) {
  return posix_spawn_file_actions_addchdir_np(actions, path);
}
