// Calls that Swift's importer hides: those that need _GNU_SOURCE, and POSIX threads, whose types
// differ between systems. All of them go through libc's own functions, never a raw syscall(), so
// that a library preloaded before libc sees every call.

#ifndef CSYSTEM_H
#define CSYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <spawn.h>

/// The metadata of a file or folder that the scanner needs.
struct csystem_facts {
  int64_t size;      // bytes
  int64_t seconds;   // of the last modification, rounded down
  uint64_t device;
  uint64_t inode;
  uint32_t nanoseconds; // of that time, within the second
  uint32_t mode;     // type and permissions, as in st_mode
  uint32_t links;    // hard links; with `storage` only
  uint32_t owner;    // user and group; with `storage` only
  uint32_t group;
  int64_t allocated; // allocated bytes; with `storage` only
};

/// Reads the metadata of an entry, relative to a directory, or of the directory itself if `name` is
/// empty. A symbolic link is followed only if `follow`. `storage` requests the last four members as
/// well. Returns 0, or an errno.
int csystem_lookup(int directory, const char *name, bool follow, bool storage,
                   struct csystem_facts *facts);

/// The same with `fstatat`, which every POSIX system has and which always reads all members.
int csystem_lookup_portable(int directory, const char *name, bool follow,
                            struct csystem_facts *facts);

/// Fills `buffer` with directory records (Linux). Returns the number of bytes, 0 at the end, or
/// -errno.
ssize_t csystem_list(int directory, void *buffer, size_t size);

/// A lock with two conditions that threads can wait for; NULL if out of memory.
struct csystem_monitor;
struct csystem_monitor *csystem_monitor_create(void);
void csystem_monitor_destroy(struct csystem_monitor *monitor);
void csystem_monitor_lock(struct csystem_monitor *monitor);
void csystem_monitor_unlock(struct csystem_monitor *monitor);
/// Waits for one of the conditions: without a limit if `nanoseconds` are negative.
void csystem_monitor_wait(struct csystem_monitor *monitor, bool reserve, int64_t nanoseconds);
void csystem_monitor_wake(struct csystem_monitor *monitor, bool reserve, bool all);

/// Runs `body(context)` on a new detached thread. Returns 0, or an errno.
int csystem_spawn(void (*body)(void *), void *context, size_t stack_size);

/// Lowers the priority of the calling thread.
void csystem_step_back(void);

/// Sleeps; a signal can end it early.
void csystem_pause(uint32_t milliseconds);

/// How often threads of this process slept until an event, less how often others took their processor.
int64_t csystem_waits(void);

/// The number of processors that this process may use at once, at least 1: limited by its affinity
/// and the quota of its control group.
int csystem_processors(void);

// Signal handlers, in C because Swift doesn't guarantee anything about code in a handler.

/// Ignores SIGPIPE and SIGXFSZ, whose errors are reported by the calls. Installs handlers that
/// clean up before a signal or a crash ends the process. Signals that are already ignored stay
/// ignored.
void csystem_signals_prepare(void);

/// Sets the file to remove when a signal ends the process: a name of at most 255 bytes in an open
/// directory. There is one at a time.
void csystem_temporary_set(int directory, const char *name);
void csystem_temporary_clear(void);

// Set the folders of an output to remove when a signal ends the process, and the files in a folder
// to remove before them; NULL for none. Each name ends with a zero, and so does the list. There is
// one such output at a time.
void csystem_draft_folders_set(int parent, const char *names, size_t length);
void csystem_draft_files_set(int folder, const char *names, size_t length);

/// Sets the folder to remove with its contents when a signal ends the process; NULL for none. There
/// is one at a time.
void csystem_scratch_set(int parent, const char *name);

/// Removes a folder with its contents, which other programs may still add to for a moment. Makes
/// async-signal-safe calls only (on Linux).
void csystem_remove_tree(int parent, const char *name);

/// Registers the process group of a program to kill when a signal ends the process; up to 64 at a
/// time.
void csystem_group_started(int group);
void csystem_group_ended(int group);

/// Sets whether standard error is a terminal with a line to clear when a signal ends the process.
void csystem_line_shown(bool shown);

/// From now on writes each SIGINT, SIGTERM, SIGHUP and, if `pauses`, SIGUSR1 to a pipe as one byte,
/// unless they are ignored. The second SIGINT, SIGTERM or SIGHUP of the same number ends the
/// process.
void csystem_signals_tell(int writer, bool pauses);

/// Whether a signal is about to end the process.
bool csystem_is_ending(void);

/// The flags to open a folder in which files are created: O_PATH where available, which doesn't
/// need the permission to read it.
extern const int csystem_folder_access;

/// The flag to create a file without a name (O_TMPFILE); 0 where not available.
extern const int csystem_unnamed_file;

/// Renames an entry in its folder without replacing another. Returns 0, or an errno.
int csystem_rename_new(int directory, const char *name, const char *other);

/// The number of columns of a terminal; 0 if unknown or not a terminal.
int csystem_terminal_width(int descriptor);

// Sockets: the calls that differ between systems. All descriptors are non-blocking.

/// Listens at an address, given as a name or a number. Returns the descriptor, or -1 with an errno
/// in `reason`, negative if the name is unknown.
int csystem_listen(const char *host, uint16_t port, uint16_t *bound, bool *is_loopback, int *reason);

/// Writes the numeric address at which other machines reach this one. Returns whether there is one.
bool csystem_machine_address(char *text, size_t size);

/// Accepts the next connection. Returns its descriptor, or -errno.
int csystem_accept(int listener);

/// Receives up to `size` bytes. Returns their number, 0 at the end, or -errno.
ssize_t csystem_receive(int connection, void *buffer, size_t size);

/// Sends as many bytes as the system accepts now. Returns their number, or -errno.
ssize_t csystem_send(int connection, const void *buffer, size_t size);

/// Signals the other side that nothing more will be sent.
void csystem_end_sending(int connection);

/// An event of a descriptor.
struct csystem_event {
  uint64_t key;
  bool readable;
  bool writable;
  bool gone;
};

/// Creates a poller of many descriptors. Returns its descriptor, or -errno.
int csystem_poller_create(void);
/// Sets the events of a descriptor; a hang-up is always reported. Returns 0, or an errno.
int csystem_poller_set(int poller, int descriptor, uint64_t key, bool is_new, bool read, bool write);
/// Waits for up to `count` events, at most `milliseconds` (-1: without limit). Returns their
/// number, or -errno.
int csystem_poller_wait(int poller, struct csystem_event *events, int count, int milliseconds);

/// The words of this process's command line, and their number; NULL if the C library doesn't give
/// them to initializers.
char **csystem_arguments(int *count);

/// Sets the current folder of a program to start. Returns 0, or an errno.
int csystem_spawn_folder(posix_spawn_file_actions_t *actions, const char *path);

/// Creates a pipe that is closed on exec, where possible even if another thread starts a program at
/// the same moment. Returns 0, or an errno.
int csystem_pipe(int ends[2]);

/// Creates a non-blocking pipe with which one thread wakes another. Returns 0, or an errno.
int csystem_wake_pipe(int ends[2]);
void csystem_wake(int writer);
void csystem_wake_drain(int reader);

/// Fills a buffer of at most 256 cryptographically random bytes. Returns 0, or an errno.
int csystem_random(void *buffer, size_t size);

/// Limits the number of pools of glibc's allocator; does nothing for others.
void csystem_limit_pools(int count);

/// Returns the free memory of glibc's allocator to the system; does nothing for others.
void csystem_return_memory(void);

// Changes in folders (inotify, Linux only).

/// Creates a watcher. Returns its descriptor, or -errno (ENOSYS if not supported).
int csystem_watcher_create(void);
/// Watches an open folder. Returns its number, or -errno.
int csystem_watch(int watcher, int directory);
/// Stops watching a folder.
void csystem_unwatch(int watcher, int number);

#endif
