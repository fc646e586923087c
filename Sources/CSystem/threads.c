#define _GNU_SOURCE
#include "CSystem.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

// In signals.c
void csystem_ending_signals(sigset_t *set);

struct csystem_monitor {
  pthread_mutex_t mutex;
  pthread_cond_t condition;
  pthread_cond_t reserve;
};

// Timed waits use the monotonic clock, where conditions support it.
static void condition_init(pthread_cond_t *condition) {
#ifdef __APPLE__
  pthread_cond_init(condition, NULL);
#else
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_cond_init(condition, &attributes);
  pthread_condattr_destroy(&attributes);
#endif
}

struct csystem_monitor *csystem_monitor_create(void) {
  struct csystem_monitor *monitor = malloc(sizeof *monitor);
  if (!monitor) return NULL;
  pthread_mutex_init(&monitor->mutex, NULL);
  condition_init(&monitor->condition);
  condition_init(&monitor->reserve);
  return monitor;
}

void csystem_monitor_destroy(struct csystem_monitor *monitor) {
  pthread_cond_destroy(&monitor->condition);
  pthread_cond_destroy(&monitor->reserve);
  pthread_mutex_destroy(&monitor->mutex);
  free(monitor);
}

void csystem_monitor_lock(struct csystem_monitor *monitor) { pthread_mutex_lock(&monitor->mutex); }
void csystem_monitor_unlock(struct csystem_monitor *monitor) { pthread_mutex_unlock(&monitor->mutex); }

void csystem_monitor_wait(struct csystem_monitor *monitor, bool reserve, int64_t nanoseconds) {
  pthread_cond_t *condition = reserve ? &monitor->reserve : &monitor->condition;
  if (nanoseconds < 0) {
    pthread_cond_wait(condition, &monitor->mutex);
    return;
  }
#ifdef __APPLE__
  struct timespec time = {nanoseconds / 1000000000, nanoseconds % 1000000000};
  pthread_cond_timedwait_relative_np(condition, &monitor->mutex, &time);
#else
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  nanoseconds += time.tv_nsec;
  time.tv_sec += nanoseconds / 1000000000;
  time.tv_nsec = nanoseconds % 1000000000;
  pthread_cond_timedwait(condition, &monitor->mutex, &time);
#endif
}

// Wakes one or all of the threads that wait for one of the conditions.
void csystem_monitor_wake(struct csystem_monitor *monitor, bool reserve, bool all) {
  pthread_cond_t *condition = reserve ? &monitor->reserve : &monitor->condition;
  if (all) pthread_cond_broadcast(condition);
  else pthread_cond_signal(condition);
}

struct start {
  void (*body)(void *);
  void *context;
};

static void *run(void *argument) {
  struct start start = *(struct start *)argument;
  free(argument);
  start.body(start.context);
  return NULL;
}

int csystem_spawn(void (*body)(void *), void *context, size_t stack_size) {
  struct start *start = malloc(sizeof *start);
  if (!start) return ENOMEM;
  start->body = body;
  start->context = context;
  pthread_attr_t attributes;
  int error = pthread_attr_init(&attributes);
  if (!error) {
    pthread_t thread;
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attributes, stack_size);
    // The new thread blocks these signals, so that the program's initial threads handle them.
    sigset_t ours, before;
    csystem_ending_signals(&ours);
    pthread_sigmask(SIG_BLOCK, &ours, &before);
    error = pthread_create(&thread, &attributes, run, start);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
  }
  if (error) free(start);
  return error;
}

void csystem_step_back(void) {
#ifdef __APPLE__
  pthread_set_qos_class_self_np(QOS_CLASS_UTILITY, 0);
#else
  // On Linux each thread has its own niceness, and 0 means the calling thread.
  setpriority(PRIO_PROCESS, 0, 5);
#endif
}

void csystem_pause(uint32_t milliseconds) {
  struct timespec time = {.tv_sec = milliseconds / 1000, .tv_nsec = milliseconds % 1000 * 1000000L};
  nanosleep(&time, NULL);
}

int64_t csystem_waits(void) {
  struct rusage usage;
  return getrusage(RUSAGE_SELF, &usage) == 0 ? usage.ru_nvcsw - usage.ru_nivcsw : 0;
}
