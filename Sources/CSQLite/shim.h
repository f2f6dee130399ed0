#include <sqlite3.h>

// sqlite3_db_config is variadic, so Swift does not import it.
static inline int sqlite3_db_config_switch(sqlite3 *database, int option, int on) {
  return sqlite3_db_config(database, option, on, (int *)0);
}
