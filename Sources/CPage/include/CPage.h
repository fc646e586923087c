// The files of the page, embedded in the binary.
//
// C has #embed for this, and the build notices when one of the files changes. An array literal in
// Swift would work, too, but takes the compiler a second for each 5 KB.

#ifndef CPAGE_H
#define CPAGE_H

#include <stddef.h>

struct page_file {
  const char *name;
  const unsigned char *bytes;
  size_t count;
};

/// The number of files.
size_t page_file_count(void);

/// The file at an index below that number.
struct page_file page_file_at(size_t index);

#endif
