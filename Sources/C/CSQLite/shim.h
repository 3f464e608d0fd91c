#pragma once
#include <sqlite3.h>

// SQLITE_TRANSIENT is a cast that Swift cannot import: SQLite copies the text.
static inline int csqlite_bind_text(sqlite3_stmt *statement, int position, const char *text, int length) {
    return sqlite3_bind_text(statement, position, text, length, SQLITE_TRANSIENT);
}
