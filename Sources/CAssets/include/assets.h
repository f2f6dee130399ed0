/// Files of the project, embedded in the binary as they are.

#ifndef ASSETS_H
#define ASSETS_H

#include <stddef.h>

/// A file's name within its folder, and its bytes. All are constants, valid as long as the process.
typedef struct {
  const char *name;
  const unsigned char *bytes;
  size_t count;
} asset;

/// `openapi.yaml`.
asset assets_openapi(void);

/// `wordlists/common-passwords.txt`.
asset assets_common_passwords(void);

/// The number of files in `migrations/`.
size_t assets_migration_count(void);

/// A file in `migrations/`, the oldest at 0; `index` is less than the count.
asset assets_migration(size_t index);

/// The number of files in `Sources/Web/`.
size_t assets_web_count(void);

/// A file in `Sources/Web/`, named by its path in there, in the order of the names; `index` is less than the count.
asset assets_web(size_t index);

#endif
