#include "CLinux.h"

enum { LINE = 64, MOST_BYTES = 128 * 1024 };

// The linker places what scripts/link-order lists between these two, when it is told to.
__attribute__((section(".text.clinux_hot_code_begin"), noinline)) void clinux_hot_code_begin(void) {}
__attribute__((section(".text.clinux_hot_code_end"), noinline)) void clinux_hot_code_end(void) {}

void clinux_prefetch_hot_code(void) {
  uintptr_t begin = (uintptr_t)clinux_hot_code_begin, end = (uintptr_t)clinux_hot_code_end;
  // Placed by another linker they may lie anywhere.
  if (begin > end || end - begin > MOST_BYTES) return;
  for (; begin < end; begin += LINE) __builtin_prefetch((const void *)begin);
}
