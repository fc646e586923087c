#include "CRelease.h"

#include <math.h>

// A section of its own, for `.ci/release` to fill after the build. Volatile, because the compiler
// would use the empty text.
#ifdef __linux__
__attribute__((section("geomapper_commit")))
#endif
static const volatile char commit[40] = "";

const char *release_commit(void) { return (const char *)commit; }

#ifdef __GLIBC__
// The tool never calls it, but Swift's module of the C library contains a call, which would need
// glibc 2.35. All other functions are in 2.34. The result is that of glibc.
__attribute__((visibility("hidden"))) float hypotf(float x, float y) {
  if (isinf(x) || isinf(y)) return INFINITY;
  return (float)sqrt((double)x * x + (double)y * y);
}
#endif
