#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

// How many tests run at once. Swift Testing starts all of them otherwise, and one that waits goes on
// only after all others have begun: what it holds, it holds for minutes. The name is the library's own;
// were it another one day, tests would be slower, and no less right.
__attribute__((constructor)) static void limit_width(void) {
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  char text[24];
  snprintf(text, sizeof text, "%ld", processors > 0 ? 2 * processors : 4);
  setenv("SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH", text, 0);
}
