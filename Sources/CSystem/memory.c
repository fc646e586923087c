#include "CSystem.h"

#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

void csystem_limit_pools(int count) {
#ifdef __GLIBC__
  mallopt(M_ARENA_MAX, count);
#else
  (void)count;
#endif
}

void csystem_return_memory(void) {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}
