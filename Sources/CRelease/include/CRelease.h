// What only a release of the tool needs in C: the commit that it was built from, and an older C library.

#ifndef CRELEASE_H
#define CRELEASE_H

/// The commit and its date, such as "0123456789ab, 2026-11-27"; empty unless `.ci/release` wrote them
/// into the built tool.
const char *release_commit(void);

#endif
