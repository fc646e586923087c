#define _GNU_SOURCE
#include "CSystem.h"

#include <fcntl.h>
#include <sys/ioctl.h>

#ifdef O_PATH
const int csystem_folder_access = O_PATH;
#else
const int csystem_folder_access = O_RDONLY;
#endif

int csystem_terminal_width(int descriptor) {
  struct winsize size;
  if (ioctl(descriptor, TIOCGWINSZ, &size) != 0) return 0;
  return size.ws_col;
}
