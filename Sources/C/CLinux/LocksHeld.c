#include "CLinux.h"

static _Thread_local int locks_held;

int clinux_change_locks_held(int change) { return locks_held += change; }
