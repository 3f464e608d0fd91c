// time-commands -- the wall time of short commands, run in turn: A B C A B C …
//
//   time-commands ROUNDS < COMMANDS             one command per line, words separated by tabs; the first is its name
//   time-commands --output ROUNDS < COMMANDS    the time until the first output instead of until the end
//
// Output of the commands goes nowhere. Prints per run: NAME WALL_NS EXIT_STATUS. One unprinted round comes first.
#include "support.h"
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>

extern char **environ;
enum { MOST_COMMANDS = 16, MOST_WORDS = 32 };

struct command {
  char text[2048];
  char *words[MOST_WORDS];  // words[0] is the name, words[1] the program
};

static int split_words(struct command *command) {
  int count = 0;
  char *word = strtok(command->text, "\t\n");
  for (; word != NULL && count < MOST_WORDS - 1; word = strtok(NULL, "\t\n")) command->words[count++] = word;
  command->words[count] = NULL;
  return count;
}

// Returns when there was output, or when it has ended without any; reads the rest.
static uint64_t read_output(int output) {
  char bytes[4096];
  ssize_t count = read(output, bytes, sizeof bytes);
  uint64_t first = monotonic_nanoseconds();
  while (count > 0) count = read(output, bytes, sizeof bytes);
  return first;
}

static void run(const struct command *command, posix_spawn_file_actions_t *actions, int printing, int until_output) {
  pid_t pid;
  int status, output[2];
  if (until_output) {
    if (pipe2(output, O_CLOEXEC) < 0) fail("make a pipe");
    posix_spawn_file_actions_adddup2(actions, output[1], STDOUT_FILENO);
  }
  uint64_t start = monotonic_nanoseconds(), end = 0;
  errno = posix_spawnp(&pid, command->words[1], actions, NULL, command->words + 1, environ);
  if (errno != 0) fail("run %s", command->words[1]);
  if (until_output) {
    close(output[1]);
    end = read_output(output[0]);
    close(output[0]);
  }
  if (waitpid(pid, &status, 0) < 0) fail("wait for %s", command->words[1]);
  if (!until_output) end = monotonic_nanoseconds();
  if (!printing) return;
  printf("%s %" PRIu64 " %d\n", command->words[0], end - start, WIFEXITED(status) ? WEXITSTATUS(status) : 128);
}

int main(int count, char **arguments) {
  static struct command commands[MOST_COMMANDS];
  int known = 0, until_output = count == 3 && strcmp(arguments[1], "--output") == 0;
  long rounds = count == 2 + until_output ? atol(arguments[count - 1]) : 0;
  if (rounds < 1) usage("time-commands [--output] ROUNDS < COMMANDS");
  end_with_parent();
  while (known < MOST_COMMANDS && fgets(commands[known].text, sizeof commands[known].text, stdin) != NULL) {
    if (split_words(&commands[known]) > 1) known++;
  }
  for (long round = -1; round < rounds; round++) {
    for (int index = 0; index < known; index++) {
      posix_spawn_file_actions_t actions;
      posix_spawn_file_actions_init(&actions);
      posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
      posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
      posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
      run(&commands[index], &actions, round >= 0, until_output);
      posix_spawn_file_actions_destroy(&actions);
    }
  }
  return 0;
}
