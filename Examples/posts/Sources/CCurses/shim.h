#ifndef CCURSES_SHIM_H
#define CCURSES_SHIM_H

#include <ncurses.h>
#include <stdio.h>
#include <wchar.h>

// What Swift cannot import of ncurses: constants that are computed by macros, and global variables.
static const int attribute_bold = A_BOLD;
static const int attribute_dim = A_DIM;
static const int attribute_reverse = A_REVERSE;

/// A screen on the standard streams; NULL where the terminal named by TERM is not known.
static inline SCREEN *open_screen(void) { return newterm(NULL, stdout, stdin); }
static inline WINDOW *standard_window(void) { return stdscr; }

/// How many columns a character takes; -1 where it cannot be shown. wchar.h has it for X/Open programs alone.
extern int wcwidth(wchar_t character);

#endif
