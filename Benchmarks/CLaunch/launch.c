#define _GNU_SOURCE
#include "CLaunch.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static int64_t microseconds(struct timeval time) {
  return (int64_t)time.tv_sec * 1000000 + time.tv_usec;
}

static volatile pid_t running;

static void give_up(int signal) {
  (void)signal;
  if (running > 0) kill(running, SIGKILL);
}

int launch_measured(char *const argv[], const char *output, unsigned limit,
                    struct launch_result *result) {
  memset(result, 0, sizeof *result);
  int64_t begin = now();
  pid_t child = fork();
  if (child < 0) return errno;
  if (child == 0) {
    int null = open("/dev/null", O_RDONLY);
    if (null >= 0) dup2(null, 0);
    if (output) {
      int file = open(output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
      if (file < 0 || dup2(file, 1) < 0) _exit(127);
    }
    execv(argv[0], argv);
    _exit(127);
  }
  running = child;
  struct sigaction action = {.sa_handler = give_up};
  sigaction(SIGALRM, &action, NULL);
  alarm(limit);
  int status;
  struct rusage usage;
  pid_t waited;
  do {
    waited = wait4(child, &status, 0, &usage);
  } while (waited < 0 && errno == EINTR);
  running = 0;
  alarm(0);
  if (waited < 0) return errno;
  result->nanoseconds = now() - begin;
  result->status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  result->user = microseconds(usage.ru_utime);
  result->system = microseconds(usage.ru_stime);
#ifdef __APPLE__
  result->peak = usage.ru_maxrss;
#else
  result->peak = (int64_t)usage.ru_maxrss * 1024;
#endif
  result->minor_faults = usage.ru_minflt;
  result->major_faults = usage.ru_majflt;
  result->voluntary = usage.ru_nvcsw;
  result->involuntary = usage.ru_nivcsw;
  return 0;
}
