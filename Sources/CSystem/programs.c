#define _GNU_SOURCE
#include "CSystem.h"

int csystem_spawn_folder(posix_spawn_file_actions_t *actions, const char *path) {
  return posix_spawn_file_actions_addchdir_np(actions, path);
}
