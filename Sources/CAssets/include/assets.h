/// Project files embedded in the binary without changes.

#ifndef ASSETS_H
#define ASSETS_H

#include <stddef.h>

/// The name of a file within its folder, and its bytes. All are constants, valid for the lifetime of the process.
typedef struct {
  const char *name;
  const unsigned char *bytes;
  size_t count;
} asset;

/// `openapi.yaml`.
asset assets_openapi(void);

/// The same contract as JSON.
asset assets_openapi_json(void);

/// The same contract in OpenAPI 3.0.
asset assets_openapi_30(void);

/// `wordlists/common-passwords.txt`.
asset assets_common_passwords(void);

/// `wordlists/emoji-names.txt`.
asset assets_emoji_names(void);

/// The number of files in `migrations/`.
size_t assets_migration_count(void);

/// A file in `migrations/`, the oldest at 0. `index` must be less than the count.
asset assets_migration(size_t index);

/// The number of files in `migrations/postgres/`.
size_t assets_server_migration_count(void);

/// A file in `migrations/postgres/`, the oldest at 0. `index` must be less than the count.
asset assets_server_migration(size_t index);

/// The number of files in `Sources/Web/`.
size_t assets_web_count(void);

/// A file in `Sources/Web/`, with its path in that folder, sorted by path. `index` must be less than the count.
asset assets_web(size_t index);

/// The number of files in `templates/` that a server needs: two of each template.
size_t assets_template_count(void);

/// A file in `templates/`, with its path in that folder, sorted by path: `image.png` of a template, then its
/// `template.json`. `index` must be less than the count.
asset assets_template(size_t index);

#endif
