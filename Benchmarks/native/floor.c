// The floor: the minimal work of a program that maps a tree.
//
//   floor THREADS OUTPUT DIR
//
// In THREADS threads it lists every folder (openat, getdents64), reads every entry's metadata
// (statx) and writes one line for each, as long as the real tool's lines: a template with the path,
// the name and the numbers, in any order. There is no geometry, no sorting and no escaping. A
// program that makes the same system calls can't be much faster, so the difference is the cost of
// everything else.
//
// cc -std=c11 -O2 -pthread floor.c -o floor

#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// Bytes of a line without the path, the name, the size and the time, measured in the real tool's
// output. A folder's ring has RING_VERTICES vertices of VERTEX_BYTES bytes each.
#define FILE_REST 201
#define FOLDER_REST 224
#define RING_VERTICES 17
#define VERTEX_BYTES 32

#define OUTPUT_BUFFER (128 * 1024)
#define LISTING_BUFFER (64 * 1024)
#define LONGEST_NAME 1024
#define LONGEST_PATH (OUTPUT_BUFFER / 2)  // longer paths are cut, so that a line fits

struct entry64 {
  uint64_t inode;
  int64_t offset;
  unsigned short length;
  unsigned char type;
  char name[];
};

// A descriptor that stays open until the last sub-folder is opened relative to it.
struct handle {
  atomic_int users;
  int descriptor;
};

struct folder {
  struct folder *next;
  struct handle *parent;  // null for the root
  uint32_t path_length;   // of label/…/name, without a final zero
  uint32_t name_length;
  char path[];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t wake = PTHREAD_COND_INITIALIZER;
static struct folder *stack;
static int thread_count, waiting, finished;
static int output;
static const char *root;
static char file_template[4096], folder_template[4096];
static atomic_long failures;

struct worker {
  char *out;
  size_t used;
  char *listing;
  long failures;
};

static void fail(const char *what) {
  perror(what);
  exit(3);
}

static void *must(void *memory) {
  if (!memory) fail("memory");
  return memory;
}

static void flush(struct worker *w) {
  for (size_t done = 0; done < w->used;) {
    ssize_t count = write(output, w->out + done, w->used - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail("write");
    done += (size_t)count;
  }
  w->used = 0;
}

static void release(struct handle *handle) {
  if (handle && atomic_fetch_sub_explicit(&handle->users, 1, memory_order_acq_rel) == 1) {
    close(handle->descriptor);
    free(handle);
  }
}

static char *decimal(char *to, uint64_t value) {
  char digits[20];
  int count = 0;
  do {
    digits[count++] = (char)('0' + value % 10);
    value /= 10;
  } while (value);
  while (count) *to++ = digits[--count];
  return to;
}

// Writes the line of one entry: path/name, name, size, time, and the rest.
static void emit(struct worker *w, const struct folder *in, const char *name, size_t length,
                 const struct statx *facts, int is_folder) {
  size_t rest = is_folder ? FOLDER_REST + RING_VERTICES * VERTEX_BYTES : FILE_REST;
  uint32_t path_length = in->path_length < LONGEST_PATH ? in->path_length : LONGEST_PATH;
  if (w->used + path_length + 2 * length + rest + 64 > OUTPUT_BUFFER) flush(w);
  char *to = w->out + w->used;
  memcpy(to, is_folder ? folder_template : file_template, rest);
  to += rest;
  memcpy(to, in->path, path_length);
  to += path_length;
  *to++ = '/';
  memcpy(to, name, length);
  to += length;
  memcpy(to, name, length);
  to += length;
  to = decimal(to, facts->stx_size);
  to = decimal(to, (uint64_t)facts->stx_mtime.tv_sec);
  *to++ = '\n';
  w->used = (size_t)(to - w->out);
}

// Reads a folder, writes its entries and puts its sub-folders on the stack.
static void visit(struct worker *w, struct folder *folder) {
  int descriptor;
  int flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;
  if (folder->parent) {
    char name[LONGEST_NAME];
    memcpy(name, folder->path + folder->path_length - folder->name_length, folder->name_length);
    name[folder->name_length] = 0;
    descriptor = openat(folder->parent->descriptor, name, flags | O_NOFOLLOW);
    release(folder->parent);
  } else {
    descriptor = open(root, flags);
  }
  if (descriptor < 0) {
    w->failures++;
    free(folder);
    return;
  }
  struct folder *first = NULL, *last = NULL;
  int count = 0;
  struct handle *handle = NULL;
  for (;;) {
    long bytes = syscall(SYS_getdents64, descriptor, w->listing, LISTING_BUFFER);
    if (bytes < 0) w->failures++;
    if (bytes <= 0) break;
    for (long at = 0; at < bytes;) {
      struct entry64 *entry = (struct entry64 *)(w->listing + at);
      at += entry->length;
      const char *name = entry->name;
      if (name[0] == '.' && (!name[1] || (name[1] == '.' && !name[2]))) continue;
      size_t length = strlen(name);
      struct statx facts;
      if (statx(descriptor, name, AT_SYMLINK_NOFOLLOW,
                STATX_TYPE | STATX_MODE | STATX_SIZE | STATX_MTIME, &facts)) {
        w->failures++;
        continue;
      }
      int is_folder = S_ISDIR(facts.stx_mode);
      emit(w, folder, name, length, &facts, is_folder);
      if (!is_folder) continue;
      struct folder *child = must(malloc(sizeof *child + folder->path_length + 1 + length));
      memcpy(child->path, folder->path, folder->path_length);
      child->path[folder->path_length] = '/';
      memcpy(child->path + folder->path_length + 1, name, length);
      child->path_length = (uint32_t)(folder->path_length + 1 + length);
      child->name_length = (uint32_t)length;
      if (!handle) handle = must(malloc(sizeof *handle));
      child->parent = handle;
      child->next = first;
      if (!first) last = child;
      first = child;
      count++;
    }
  }
  free(folder);
  if (!handle) {
    close(descriptor);
    return;
  }
  handle->descriptor = descriptor;
  atomic_init(&handle->users, count);
  pthread_mutex_lock(&lock);
  last->next = stack;
  stack = first;
  if (waiting) pthread_cond_broadcast(&wake);
  pthread_mutex_unlock(&lock);
}

static void *work(void *unused) {
  (void)unused;
  struct worker w = {must(malloc(OUTPUT_BUFFER)), 0, must(malloc(LISTING_BUFFER)), 0};
  for (;;) {
    pthread_mutex_lock(&lock);
    while (!stack && !finished) {
      if (++waiting == thread_count) {
        finished = 1;
        pthread_cond_broadcast(&wake);
      } else {
        pthread_cond_wait(&wake, &lock);
      }
      waiting--;
    }
    struct folder *folder = stack;
    if (folder) stack = folder->next;
    pthread_mutex_unlock(&lock);
    if (!folder) break;
    visit(&w, folder);
  }
  flush(&w);
  atomic_fetch_add(&failures, w.failures);
  free(w.out);
  free(w.listing);
  return NULL;
}

int main(int count, char **arguments) {
  if (count < 4) {
    fprintf(stderr, "usage: floor THREADS OUTPUT DIR\n");
    return 2;
  }
  thread_count = atoi(arguments[1]);
  if (thread_count < 1 || thread_count > 256) return 2;
  root = arguments[3];
  output = open(arguments[2], O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (output < 0) fail(arguments[2]);
  memset(file_template, 'x', sizeof file_template);
  memset(folder_template, 'x', sizeof folder_template);

  stack = must(malloc(sizeof *stack + 4));
  *stack = (struct folder){NULL, NULL, 4, 4};
  memcpy(stack->path, "root", 4);

  pthread_t threads[256];
  for (int i = 1; i < thread_count; i++) {
    if (pthread_create(&threads[i], NULL, work, NULL)) fail("thread");
  }
  work(NULL);
  for (int i = 1; i < thread_count; i++) pthread_join(threads[i], NULL);
  if (close(output)) fail("close");
  return atomic_load(&failures) ? 1 : 0;
}
