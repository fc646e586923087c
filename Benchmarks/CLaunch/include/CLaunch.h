// Runs one command and measures it.
//
// In C, because the child must come from fork, which Swift does not import: a child of vfork or
// posix_spawn shares its parent's memory until exec and has the parent's peak in its ru_maxrss.

#ifndef CLAUNCH_H
#define CLAUNCH_H

#include <stdint.h>

struct launch_result {
  int32_t status;        // exit status, or 128 + signal; 127 if it could not be started
  int64_t nanoseconds;   // from before fork until it was waited for
  int64_t user;          // microseconds
  int64_t system;        // microseconds
  int64_t peak;          // bytes of memory at its most
  int64_t minor_faults;
  int64_t major_faults;
  int64_t voluntary;     // context switches
  int64_t involuntary;
};

/// Runs a command with its standard output in `output`, which is opened and truncated within the
/// time measured, or inherited if `output` is null; kills it after `limit` seconds, if not 0.
/// Returns 0, or an errno value.
int launch_measured(char *const argv[], const char *output, unsigned limit,
                    struct launch_result *result);

#endif
