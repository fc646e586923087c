// Runs one command and measures it.
//
//   launch REPORT LIMIT OUTPUT COMMAND…
//
// The standard output of COMMAND goes to the file OUTPUT, which is opened and truncated within the measured time; "-"
// leaves it as it is. The command is killed after LIMIT seconds, if not 0. The descriptor REPORT gets a line with the exit
// status (128 + the signal; 127 if it could not be started), nanoseconds, microseconds of the user and of the system, peak
// memory in bytes, major faults and context switches.
//
// A small program in C, because a child of fork starts with its parent's peak memory, and one of vfork or posix_spawn
// shares it until exec.

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
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

static long long microseconds(struct timeval time) {
  return (long long)time.tv_sec * 1000000 + time.tv_usec;
}

static volatile pid_t running;

static void give_up(int signal) {
  (void)signal;
  if (running > 0) kill(running, SIGKILL);
}

int main(int count, char **arguments) {
  if (count < 5) {
    fprintf(stderr, "usage: launch REPORT LIMIT OUTPUT COMMAND…\n");
    return 2;
  }
  int report = atoi(arguments[1]);
  fcntl(report, F_SETFD, FD_CLOEXEC);
  const char *output = arguments[3];
  int64_t begin = now();
  pid_t child = fork();
  if (child < 0) return 2;
  if (child == 0) {
    int null = open("/dev/null", O_RDONLY);
    if (null >= 0) dup2(null, 0);
    if (strcmp(output, "-") != 0) {
      int file = open(output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
      if (file < 0 || dup2(file, 1) < 0) _exit(127);
    }
    execvp(arguments[4], arguments + 4);
    _exit(127);
  }
  running = child;
  struct sigaction action = {.sa_handler = give_up};
  sigaction(SIGALRM, &action, NULL);
  alarm((unsigned)atoi(arguments[2]));
  int status;
  struct rusage usage;
  pid_t waited;
  do {
    waited = wait4(child, &status, 0, &usage);
  } while (waited < 0 && errno == EINTR);
  int64_t nanoseconds = now() - begin;
  running = 0;
  if (waited < 0) return 2;
  long long peak = usage.ru_maxrss;
#ifndef __APPLE__
  peak *= 1024;
#endif
  dprintf(report, "%d %lld %lld %lld %lld %ld %ld\n",
          WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status), (long long)nanoseconds,
          microseconds(usage.ru_utime), microseconds(usage.ru_stime), peak, usage.ru_majflt,
          usage.ru_nvcsw + usage.ru_nivcsw);
  return 0;
}
