"""The clients that Tests/Clients/run compares. A further client is a line here: its name, the file of its code, the
language of its listing, the command that builds it, and the command that runs it.

A client prints knowledge, status and isExpensive of each update as words in a line, and asks the service alone. A file
comes from the listing of docs/languages.md in that language, or lies in this folder. Commands run in a folder with that
file, with Debian's programs and those of the build in PATH, and with the repository in ROOT."""

import collections

Client = collections.namedtuple("Client", "name file listing build run")

CLIENTS = [
    Client("pathctl", None, None, None, "exec pathctl watch --format '{knowledge} {status} {isExpensive}'"),
    Client("Swift", None, None, None, 'exec "$ROOT/.build/debug/monitor-load" follow'),
    Client("Python", "follow.py", None, None, 'PYTHONPATH="$ROOT/Python" exec python3 follow.py'),
    Client("Node", "follow.mjs", "js", None, "exec node follow.mjs"),
    Client("Go", "follow.go", "go", "go build follow.go", "exec ./follow"),
    Client("Rust", "follow.rs", "rust", "rustc follow.rs", "exec ./follow"),
    Client("C", "follow.c", "c", "cc -Wall -Wextra -Werror -o follow follow.c", "exec ./follow"),
    Client("POSIX shell", "follow.sh", "sh", None, "exec dash follow.sh"),
]
