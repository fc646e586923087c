#define _GNU_SOURCE
#include "CSystem.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>
#ifdef __linux__
#include <sched.h>

// The number of processors that the control group may use, rounded up; 0 without a limit.
static int group_quota(void) {
  char line[512], path[600];
  double quota = 0, best = 0;
  FILE *groups = fopen("/proc/self/cgroup", "re");
  if (!groups) return 0;
  while (fgets(line, sizeof line, groups)) {
    line[strcspn(line, "\n")] = 0;
    if (strncmp(line, "0::", 3) != 0) continue;
    // Version 2: the smallest quota of the group and all groups above it.
    for (char *group = line + 3; *group;) {
      snprintf(path, sizeof path, "/sys/fs/cgroup%s/cpu.max", strcmp(group, "/") ? group : "");
      FILE *file = fopen(path, "re");
      double period;
      if (file && fscanf(file, "%lf %lf", &quota, &period) == 2 && period > 0) {
        if (best == 0 || quota / period < best) best = quota / period;
      }
      if (file) fclose(file);
      char *slash = strrchr(group, '/');
      if (!slash || !strcmp(group, "/")) break;
      slash[slash == group] = 0;
    }
  }
  fclose(groups);
  // Version 1, as containers see it.
  const char *files[] = {"/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "/sys/fs/cgroup/cpu/cpu.cfs_period_us"};
  double values[2] = {0, 0};
  for (int i = 0; i < 2; i++) {
    FILE *file = fopen(files[i], "re");
    if (file && fscanf(file, "%lf", &values[i]) != 1) values[i] = 0;
    if (file) fclose(file);
  }
  if (values[0] > 0 && values[1] > 0 && (best == 0 || values[0] / values[1] < best)) {
    best = values[0] / values[1];
  }
  int whole = (int)best;
  return best > whole ? whole + 1 : whole;
}
#endif

int csystem_processors(void) {
  int count = 0;
#ifdef __linux__
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) count = CPU_COUNT(&set);
  int quota = group_quota();
  if (quota > 0 && (count <= 0 || quota < count)) count = quota;
#endif
  if (count <= 0) count = (int)sysconf(_SC_NPROCESSORS_ONLN);
  return count > 0 ? count : 1;
}
