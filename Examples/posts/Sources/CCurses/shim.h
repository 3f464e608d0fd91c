#ifndef CCURSES_SHIM_H
#define CCURSES_SHIM_H

#include <ncurses.h>
#include <stdio.h>
#include <wchar.h>

// The parts of ncurses that Swift cannot import: constants that macros compute, and global variables.
static const int attribute_bold = A_BOLD;
static const int attribute_dim = A_DIM;
static const int attribute_reverse = A_REVERSE;

/// A screen on the standard streams; NULL where the terminal named by TERM is not known.
static inline SCREEN *open_screen(void) { return newterm(NULL, stdout, stdin); }
static inline WINDOW *standard_window(void) { return stdscr; }

/// The number of columns of a character; -1 if it cannot be shown. wchar.h declares the function for X/Open programs
/// alone.
extern int wcwidth(wchar_t character);

#endif
