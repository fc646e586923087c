// What Swift's importer hides: calls that need _GNU_SOURCE, and POSIX threads, whose types differ
// from system to system. Everything goes through libc's own functions, never a raw syscall(), so
// that a library put in front of libc sees every call.

#ifndef CSYSTEM_H
#define CSYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// The facts of a file or folder that the scanner asks for.
struct csystem_facts {
  int64_t size;      // bytes
  int64_t seconds;   // of the last change, rounded down
  uint64_t device;
  uint64_t inode;
  uint32_t nanoseconds; // of that change, beyond the second
  uint32_t mode;     // type and permissions, as in st_mode
  uint32_t links;    // names; with `storage` only
  uint32_t owner;    // user and group; with `storage` only
  uint32_t group;
  int64_t allocated; // bytes that the file system has given it; with `storage` only
};

/// The facts of an entry, relative to a directory; of the directory itself if `name` is empty. A
/// symbolic link is followed only if `follow`. `storage` asks for the last four facts as well. 0, or
/// an errno.
int csystem_lookup(int directory, const char *name, bool follow, bool storage,
                   struct csystem_facts *facts);

/// The same by `fstatat`, which every POSIX system has and which asks for all facts in any case.
int csystem_lookup_portable(int directory, const char *name, bool follow,
                            struct csystem_facts *facts);

/// Fills `buffer` with directory records (Linux). Bytes, 0 at the end, or -errno.
ssize_t csystem_list(int directory, void *buffer, size_t size);

/// A lock with two conditions that threads can wait for; NULL if there is no memory.
struct csystem_monitor;
struct csystem_monitor *csystem_monitor_create(void);
void csystem_monitor_destroy(struct csystem_monitor *monitor);
void csystem_monitor_lock(struct csystem_monitor *monitor);
void csystem_monitor_unlock(struct csystem_monitor *monitor);
void csystem_monitor_wait(struct csystem_monitor *monitor);
void csystem_monitor_wait_reserve(struct csystem_monitor *monitor);
void csystem_monitor_wait_reserve_for(struct csystem_monitor *monitor, int64_t nanoseconds);
void csystem_monitor_wake_reserve(struct csystem_monitor *monitor);
void csystem_monitor_wake_one(struct csystem_monitor *monitor);
void csystem_monitor_wake_all(struct csystem_monitor *monitor);

/// Runs `body(context)` on a new detached thread. 0, or an errno.
int csystem_spawn(void (*body)(void *), void *context, size_t stack_size);

/// Has the calling thread go after those of all who don't call this, wherever processors are short.
void csystem_step_back(void);

/// Sleeps, until a signal comes at the latest.
void csystem_pause(uint32_t milliseconds);

/// How many processors this process may use at once, at least 1: what its affinity and the quota of its
/// control group allow.
int csystem_processors(void);

// Ends by signals. A handler in C, since Swift promises nothing about what runs in one.

/// Ignores SIGPIPE and SIGXFSZ, whose errors are reported by the calls, and lets SIGINT, SIGTERM,
/// SIGHUP, SIGQUIT and SIGXCPU, and those of a crash, clean up before they end the process. Signals
/// that are ignored stay so.
void csystem_signals_prepare(void);

/// The file that is to be removed when a signal ends the process: at most 255 bytes, in an open
/// directory. One at a time.
void csystem_temporary_set(int directory, const char *name);
void csystem_temporary_clear(void);

/// What folders that don't stay are for: one of each may be there at a time.
enum csystem_temporary_use {
  CSYSTEM_TEMPORARY_DRAFT,   ///< what is written, until it is complete
  CSYSTEM_TEMPORARY_SCRATCH, ///< files for another program
  CSYSTEM_TEMPORARY_COUNT
};

// Folders to be removed when a signal ends the process, and files in a folder, which are removed
// first; NULL for none any more. Each name ends with a zero, and so does the list.
void csystem_temporary_folders_set(
    enum csystem_temporary_use use, int parent, const char *names, size_t length);
void csystem_temporary_files_set(
    enum csystem_temporary_use use, int folder, const char *names, size_t length);

/// The process group of a program that is to be killed when a signal ends the process: of up to 64 at a
/// time.
void csystem_group_started(int group);
void csystem_group_ended(int group);

/// Whether standard error is a terminal that shows a line to be wiped when a signal comes.
void csystem_line_shown(bool shown);

/// Has SIGINT, SIGTERM, SIGHUP and, if it pauses something, SIGUSR1 written to a pipe, a byte with the
/// signal's number each, as long as they are not ignored. After one that asks the process to end, the
/// next one of that number ends it.
void csystem_signals_tell(int writer, bool pauses);

/// Whether a signal is about to end the process.
bool csystem_is_ending(void);

/// How to open a folder in which files are to be made: without the permission to read it, where the
/// system can (O_PATH).
extern const int csystem_folder_access;

/// How to make a file without a name, by opening its folder (O_TMPFILE); 0 where the system can't.
extern const int csystem_unnamed_file;

/// Gives an entry another name in its folder, unless there is something of that name. 0, or an errno.
int csystem_rename_new(int directory, const char *name, const char *other);

/// The columns of a terminal; 0 if the descriptor is none, or it doesn't say.
int csystem_terminal_width(int descriptor);

// Sockets: all calls that differ from system to system. None of them lets a caller wait.

/// Listens at an address, given as a name or as a number. `reason` gets an errno, or where the name
/// is not known a negative number. The descriptor, or -1.
int csystem_listen(const char *host, uint16_t port, uint16_t *bound, bool *is_loopback, int *reason);

/// The next connection, or -errno.
int csystem_accept(int listener);

/// Up to `size` bytes that have come in: their number, 0 at the end, or -errno.
ssize_t csystem_receive(int connection, void *buffer, size_t size);

/// Sends what the system takes at once: the number of bytes, or -errno.
ssize_t csystem_send(int connection, const void *buffer, size_t size);

/// Tells the other side that nothing more is to come.
void csystem_end_sending(int connection);

/// What has happened to a descriptor.
struct csystem_event {
  uint64_t key;
  bool readable;
  bool writable;
  bool gone;
};

/// Tells which of many descriptors are ready. The descriptor of it, or -errno.
int csystem_poller_create(void);
/// What to wait for; a hang-up is told in any case. 0, or an errno.
int csystem_poller_set(int poller, int descriptor, uint64_t key, bool is_new, bool read, bool write);
/// Up to `count` events, after `milliseconds` at the latest (-1: never). Their number, or -errno.
int csystem_poller_wait(int poller, struct csystem_event *events, int count, int milliseconds);

/// A pipe that no program gets which is started from then on; where the system can, none that another thread
/// starts at the same moment either. 0, or an errno.
int csystem_pipe(int ends[2]);

/// A pipe through which one thread wakes another: neither end lets anybody wait. 0, or an errno.
int csystem_wake_pipe(int ends[2]);
void csystem_wake(int writer);
void csystem_wake_drain(int reader);

/// Bytes that nobody can foretell, at most 256. 0, or an errno.
int csystem_random(void *buffer, size_t size);

/// Has the allocator of glibc keep at most so many pools; others are left as they are.
void csystem_limit_pools(int count);

/// Has the allocator of glibc give back to the system what is free; others are left as they are.
void csystem_return_memory(void);

// Changes in folders. Only Linux tells of them here.

/// The descriptor of a watcher, or -errno (ENOSYS where there is none).
int csystem_watcher_create(void);
/// Watches an open folder: its number, or -errno.
int csystem_watch(int watcher, int directory);
/// Forgets a folder.
void csystem_unwatch(int watcher, int number);

// Changes in whole file systems, told with the handles of the folders that they are in (fanotify).

/// The descriptor of such a watcher, or -errno (EPERM for who may not, ENOSYS where there is none).
int csystem_tree_watcher_create(void);
/// Watches the file system of an open folder: 0, or -errno. `renames` says whether both halves of a
/// renaming are told in one.
int csystem_tree_watch(int watcher, int directory, int *renames);
/// How changes call an open folder: its file system (8 bytes), the length of the handle (4), its type (4),
/// and the handle; how many bytes that are, or -errno.
long csystem_folder_handle(int directory, void *buffer, size_t size);
/// Opens the folder of a handle as csystem_folder_handle has it, by any folder of its file system: the
/// descriptor, or -errno.
int csystem_open_handle(int mount, const void *handle, size_t size);

#endif
