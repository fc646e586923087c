// Runs one command and measures it.
//
// In C, because the child must come from fork, which Swift does not import: a child of vfork or
// posix_spawn shares its parent's memory until exec and has the parent's peak in its ru_maxrss.

#ifndef CLAUNCH_H
#define CLAUNCH_H

#include <stdint.h>

struct launch_result {
  int32_t status;        // exit status, or 128 + signal; 127 if it could not be started
  int64_t nanoseconds;   // from before fork to the end of wait
  int64_t user;          // microseconds
  int64_t system;        // microseconds
  int64_t peak;          // peak memory in bytes
  int64_t minor_faults;
  int64_t major_faults;
  int64_t voluntary;     // context switches
  int64_t involuntary;
};

/// Runs a command and measures it; kills it after `limit` seconds, if not 0.
/// Its standard output goes to the file `output`, which is opened and truncated within the measured
/// time; it is inherited if `output` is null. Returns 0, or an errno value.
int launch_measured(char *const argv[], const char *output, unsigned limit,
                    struct launch_result *result);

#endif
