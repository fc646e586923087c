// The files of the page, as part of the binary.
//
// C has #embed for that, and the build notices when one of the files changes. An array literal of
// Swift would hold the same, but takes the compiler a second for each 5 KB.

#ifndef CPAGE_H
#define CPAGE_H

#include <stddef.h>

struct page_file {
  const char *name;
  const unsigned char *bytes;
  size_t count;
};

/// How many files there are.
size_t page_file_count(void);

/// The file of an index below that.
struct page_file page_file_at(size_t index);

#endif
