import Foundation
import ProcessTestSupport
import Testing

/// A shell that completes command lines as for a person: on a terminal, with its own line editor, with a request for
/// all completions.
enum Shell: String, CaseIterable, Sendable {
  case bash, zsh, fish

  /// Where the shell is; `nil` when it is not installed.
  var path: String? {
    ["/bin/\(rawValue)", "/usr/bin/\(rawValue)"].first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  static var missing: [Shell] { allCases.filter { $0.path == nil } }

  /// The words with which the shell replaces the last word of the line; empty without a completion.
  ///
  /// - Parameters:
  ///   - line: The command line up to the cursor.
  ///   - scripts: A folder with the completions, see ``write(to:)``.
  ///   - setup: Commands for the shell to begin with.
  func completions(of line: String, scripts: ScratchDirectory, setup: String = "") async throws -> Set<String> {
    let path = try #require(path)
    let words: [String]
    switch self {
    case .bash, .zsh:
      let outcome = try await Python.run(
        Self.terminal, rawValue, path, scripts.path, line, setup, environment: Self.environment)
      try #require(outcome.status == 0, "\(outcome.output)\(outcome.complaints)")
      words = outcome.output.split(separator: "\n").map(String.init)
    case .fish:
      let script = "for file in $argv[1]/*.fish; source $file; end; complete -C $argv[2]"
      let outcome = try await RunningProgram.run(
        [path, "--no-config", "-c", script, "--", scripts.path, line], environment: Self.environment)
      try #require(outcome.status == 0 && outcome.complaints.isEmpty, "\(outcome.complaints)")
      // Behind each word there are a tab and its meaning.
      words = outcome.output.split(separator: "\n").map { $0.split(separator: "\t")[0] }.map(String.init)
    }
    return Set(words)
  }

  /// The shells ask the programs that were built.
  private static var environment: [String: String?] {
    let built = URL(fileURLWithPath: RunningProgram.pathctl).deletingLastPathComponent().path
    return ["PATH": "\(built):\(ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")"]
  }

  /// Writes the completions as the shells look for them, and as `make install` makes them.
  static func write(to folder: ScratchDirectory) throws {
    for shell in allCases {
      let text = try Repository.text(of: "completions/program.\(shell.rawValue)")
      for program in ["pathctl", "pathmonitord"] {
        let name = shell == .zsh ? "_\(program)" : "\(program).\(shell.rawValue)"
        try folder.write(name, text.replacing("@PROGRAM@", with: program))
      }
    }
  }

  /// Asks bash or zsh on a terminal of its own: types the line, lets the shell insert all completions and then print
  /// them. Prints the words that replaced the last one.
  private static let terminal = #"""
    import fcntl, os, pty, re, select, struct, sys, termios, time
    shell, path, scripts, line, setup = sys.argv[1:]
    beginnings = {
        "bash": r'''
    bind 'set enable-bracketed-paste off'
    bind '"\C-xa": insert-completions'
    show() { printf '\n<%s>\n' "$READLINE_LINE"; }
    bind -x '"\C-xs": show'
    for file in SCRIPTS/*.bash; do . "$file"; done
    ''',
        "zsh": r'''
    unsetopt zle_bracketed_paste
    fpath=(SCRIPTS $fpath)
    autoload -Uz compinit && compinit -D -u
    zle -C all-matches complete-word _generic
    zstyle ':completion:all-matches::::' completer _all_matches _complete
    zstyle ':completion:all-matches:*' insert true
    show() { print -r -- $'\n'"<$BUFFER>" }
    zle -N show
    bindkey -e '^Xa' all-matches '^Xs' show
    ''',
    }
    options = {"bash": ["--norc", "--noprofile"], "zsh": ["-f"]}
    process, terminal = pty.fork()
    if process == 0:
        os.environ.update(TERM="dumb", PS1="", PS2="", HISTFILE="", ZDOTDIR="/nonexistent", LC_ALL="C.UTF-8")
        os.execv(path, [shell, *options[shell], "-i"])
    # Lines must not be wrapped.
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 30000, 0, 0))
    seen = b""
    def wait(pattern):
        global seen
        end = time.monotonic() + 30
        while not (match := re.search(pattern, seen, re.S)):
            ready = select.select([terminal], [], [], max(0, end - time.monotonic()))[0]
            if not ready:
                sys.exit(f"{shell} did not show {pattern} but {seen}")
            try:
                seen += os.read(terminal, 65536)
            except OSError:
                sys.exit(f"{shell} ended: {seen}")
        seen = seen[match.end():]
        return match
    def send(text):
        os.write(terminal, text.encode())
    # The shell reads a file: a terminal takes no long lines.
    beginning = os.path.join(scripts, f"beginning-{os.getpid()}")
    with open(beginning, "w") as file:
        file.write(setup + "\n" + beginnings[shell].replace("SCRIPTS", scripts) + "\nPS1=\necho rea''dy\n")
    send(f". {beginning}\n")
    wait(rb"ready\r?\n")
    send(line + "\x18a\x18s")
    shown = wait(rb"\n<(.*?)>\r?\n").group(1).decode()
    os.kill(process, 9)
    os.waitpid(process, 0)
    os.unlink(beginning)
    if shown == line:
        sys.exit(0)
    last = line.rpartition(" ")[2]
    words = shown[len(line) - len(last):].split()
    # Bash puts in only what stands behind the last cut of the word.
    head = re.match(r"(.*[=:])?", last).group(0) if shell == "bash" else ""
    for word in words:
        print(word if word.startswith(head) else head + word)
    """#
}
