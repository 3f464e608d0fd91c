// Functions that Swift cannot import from Glibc, as they need _GNU_SOURCE.
#pragma once

/// posix_spawn_file_actions_addclosefrom_np(3): the child of the `posix_spawn_file_actions_t` closes every descriptor
/// from the first one on.
int cprocess_close_from(void *file_actions, int first);

/// unshare(2) of the table of descriptors: those of the calling thread are a copy of its own from then on.
int cprocess_unshare_descriptors(void);

/// setfsuid(2): the user for whom the calling thread alone opens files. Returns the one before.
int cprocess_use_files_as(unsigned user);

/// setns(2) into the network namespace of a file; of the calling thread only.
int cprocess_enter_network_namespace(const char *path);
