#define _GNU_SOURCE
#include "CSystem.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Data for the handler is written before the flag that announces it. The flags are lock-free
// atomics, so that a handler may access them at any moment.
static char temporary_name[256];
static atomic_int temporary_directory = -1;
static atomic_bool has_temporary;
static struct {
  atomic_int parent;
  _Atomic(const char *) folders;
  atomic_int folder;
  _Atomic(const char *) files;
} draft;
static struct {
  atomic_int parent;
  _Atomic(const char *) name;
} scratch;
enum { group_count = 64 };
static atomic_int groups[group_count];
static atomic_bool line_is_shown;
static atomic_bool is_ending;

// Signals from outside: all that can be caught and end the process, besides the real-time signals.
static const int endings[] = {
    SIGINT,    SIGTERM, SIGHUP,  SIGQUIT, SIGXCPU, SIGUSR1,
    SIGUSR2,   SIGALRM, SIGPROF, SIGVTALRM,
#ifdef __linux__
    SIGIO,     SIGPWR,
#ifdef SIGSTKFLT
    SIGSTKFLT,
#endif
#endif
};
enum { ending_count = sizeof endings / sizeof *endings };

// Signals raised by a crash of the program, on the thread that crashes.
static const int crashes[] = {SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGSYS};
enum { crash_count = sizeof crashes / sizeof *crashes };
static struct sigaction before_crash[crash_count];

// Removes the entries of a list, in which each name ends with a zero, and so does the list.
static void remove_all(int directory, const char *name, int flags) {
  for (; name && *name; name += strlen(name) + 1) unlinkat(directory, name, flags);
}

// May only make async-signal-safe calls.
static void clean_up(void) {
  atomic_store(&is_ending, true);
  // Before removing the files that these programs write.
  for (int index = 0; index < group_count; index++) {
    int group = atomic_load(&groups[index]);
    if (group > 0) kill(-group, SIGKILL);
  }
  if (atomic_load(&has_temporary)) {
    unlinkat(atomic_load(&temporary_directory), temporary_name, 0);
  }
  remove_all(atomic_load(&draft.folder), atomic_load(&draft.files), 0);
  remove_all(atomic_load(&draft.parent), atomic_load(&draft.folders), AT_REMOVEDIR);
  const char *name = atomic_load(&scratch.name);
  if (name) csystem_remove_tree(atomic_load(&scratch.parent), name);
  if (atomic_load(&line_is_shown)) {
    // A stopped terminal must not block here and keep the process from ending.
    struct pollfd terminal = {.fd = STDERR_FILENO, .events = POLLOUT};
    if (poll(&terminal, 1, 0) == 1 && (terminal.revents & POLLOUT)) {
      ssize_t ignored = write(STDERR_FILENO, "\r\033[K", 4);
      (void)ignored;
    }
  }
}

static void end(int number) {
  int saved = errno;
  clean_up();
  // The signal is blocked until this returns. Then it ends the process by default, so that the
  // parent process sees which signal it was.
  signal(number, SIG_DFL);
  raise(number);
  errno = saved;
}

// As `end`, but restores the previous action: the default, or the Swift runtime's crash report.
static void crash(int number) {
  int saved = errno;
  clean_up();
  for (int index = 0; index < crash_count; index++) {
    if (crashes[index] == number) sigaction(number, &before_crash[index], NULL);
  }
  raise(number);
  errno = saved;
}

// Replaces a number by another, if it is there.
static void replace_group(int number, int other) {
  for (int index = 0; index < group_count; index++) {
    int found = number;
    if (atomic_compare_exchange_strong(&groups[index], &found, other)) return;
  }
}

void csystem_group_started(int group) { replace_group(0, group); }

void csystem_group_ended(int group) { replace_group(group, 0); }

// The signals that `end` handles; new threads block them.
void csystem_ending_signals(sigset_t *set) {
  sigemptyset(set);
  for (int index = 0; index < ending_count; index++) sigaddset(set, endings[index]);
#ifdef SIGRTMIN
  for (int number = SIGRTMIN; number <= SIGRTMAX; number++) sigaddset(set, number);
#endif
}

// Handles a signal, unless it is ignored; the handler blocks the ending signals.
static void handle(int number, void (*handler)(int), int flags, struct sigaction *before) {
  struct sigaction action = {.sa_handler = handler, .sa_flags = flags};
  csystem_ending_signals(&action.sa_mask);
  if (sigaction(number, NULL, before) == 0 && before->sa_handler != SIG_IGN) {
    sigaction(number, &action, NULL);
  }
}

void csystem_signals_prepare(void) {
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN);

  struct sigaction before;
  sigset_t ours;
  csystem_ending_signals(&ours);
  for (int number = 1; number < NSIG; number++) {
    if (sigismember(&ours, number) == 1) handle(number, end, 0, &before);
  }
  for (int index = 0; index < crash_count; index++) {
    // SA_ONSTACK if the thread has a stack for it: its own may be full.
    handle(crashes[index], crash, SA_ONSTACK, &before_crash[index]);
  }
}

static atomic_int signal_pipe = -1;

// Writes one byte to a non-blocking pipe, which is safe in a handler.
static void report(int number) {
  int saved = errno;
  unsigned char byte = (unsigned char)number;
  ssize_t ignored = write(atomic_load(&signal_pipe), &byte, 1);
  (void)ignored;
  struct sigaction before;
  if (number != SIGUSR1) handle(number, end, 0, &before);
  errno = saved;
}

void csystem_signals_tell(int writer, bool pauses) {
  atomic_store(&signal_pipe, writer);
  const int reported[] = {SIGINT, SIGTERM, SIGHUP, SIGUSR1};
  struct sigaction before;
  for (int index = 0; index < (pauses ? 4 : 3); index++) {
    handle(reported[index], report, SA_RESTART, &before);
  }
}

void csystem_temporary_set(int directory, const char *name) {
  size_t length = strlen(name);
  if (length >= sizeof temporary_name) return;
  memcpy(temporary_name, name, length + 1);
  atomic_store(&temporary_directory, directory);
  atomic_store(&has_temporary, true);
}

void csystem_temporary_clear(void) { atomic_store(&has_temporary, false); }

// The lists are never freed, because a handler may be reading them.
static const char *kept(const char *names, size_t length) {
  char *copy = length > 0 ? malloc(length) : NULL;
  if (copy) memcpy(copy, names, length);
  return copy;
}

void csystem_draft_folders_set(int parent, const char *names, size_t length) {
  atomic_store(&draft.folders, NULL);
  atomic_store(&draft.parent, parent);
  atomic_store(&draft.folders, kept(names, length));
}

void csystem_draft_files_set(int folder, const char *names, size_t length) {
  atomic_store(&draft.files, NULL);
  atomic_store(&draft.folder, folder);
  atomic_store(&draft.files, kept(names, length));
}

void csystem_scratch_set(int parent, const char *name) {
  atomic_store(&scratch.name, NULL);
  atomic_store(&scratch.parent, parent);
  atomic_store(&scratch.name, name ? kept(name, strlen(name) + 1) : NULL);
}

void csystem_line_shown(bool shown) { atomic_store(&line_is_shown, shown); }

bool csystem_is_ending(void) { return atomic_load(&is_ending); }
