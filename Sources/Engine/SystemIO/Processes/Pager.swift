internal import Glibc

/// The program in which people read a long text on a terminal page by page, such as less(1).
///
/// The rules are those of systemctl(1): the value of a variable names the program, an empty one or `cat` switches it
/// off, and a terminal that cannot move its cursor has none.
package enum Pager {
  /// The variables that name the program, the first that is set before the others.
  package static let variables = ["PATHMONITOR_PAGER", "PAGER"]
  /// The programs of which the first that is there is used where no variable names one.
  private static let usual = ["less", "more"]
  /// The options of less(1), unless its own variable `LESS` is set. less(1) then ends at once if all fits on the
  /// screen, and at Ctrl-C. It keeps colours, cuts lines, and leaves the text on the screen.
  private static let options = "FRSXMK"

  /// The command of the pager, for a shell; `nil` for none.
  ///
  /// - Parameters:
  ///   - variables: The values of ``variables``, in their order; `nil` for one that is not set.
  ///   - isRoot: Whether root reads. A pager can start other programs, and less(1) alone can be forbidden to.
  ///   - isInstalled: Whether there is a program of the name.
  package static func command(
    variables: [String?], isRoot: Bool, isInstalled: (String) -> Bool
  ) -> String? {
    let chosen = variables.lazy.compactMap(\.self).first
    if let chosen {
      let program = chosen.unicodeScalars.split(separator: " ").first.map(String.init) ?? ""
      if program.isEmpty || program == "cat" { return nil }
      let isPlain = chosen.utf8.allSatisfy { byte in
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
          || " -+=_./".utf8.contains(byte)
      }
      let isSecure = isPlain && ["less", "/bin/less", "/usr/bin/less"].contains(program)
      if !isRoot || isSecure { return chosen }
    }
    return (isRoot ? ["less"] : usual).first(where: isInstalled)
  }

  /// Shows a text in the pager, and returns when its reader has ended it.
  ///
  /// - Returns: `false` if there is none, or if it cannot be started: the caller then writes the text itself.
  package static func show(_ text: [UInt8]) -> Bool {
    guard Output.isTerminal(1), Output.isTerminal(2), let terminal = Environment.value("TERM"), terminal != "dumb"
    else { return false }
    let isRoot = ProcessIdentity.user == 0
    let values = variables.map { Environment.value($0) }
    guard let command = command(variables: values, isRoot: isRoot, isInstalled: isInstalled) else { return false }
    return show(text, command, isRoot: isRoot)
  }

  private static func show(_ text: [UInt8], _ command: String, isRoot: Bool) -> Bool {
    unsafe setenv("LESS", options, 0)
    if isRoot { unsafe setenv("LESSSECURE", "1", 1) }
    // The pager is in the process group of this program, so that Ctrl-Z and the shell treat both as one. Ctrl-C is for
    // the pager. A handler, although it does nothing: the pager would inherit an ignored signal.
    var former = [SIGINT, SIGQUIT].map { number in (number, signal(number) { _ in }) }
    // In its secure mode less(1) ignores Ctrl-Z. Neither it nor this program may stop before it has begun to.
    if isRoot { former.append((SIGTSTP, signal(SIGTSTP, SIG_IGN))) }
    defer { for (number, action) in former { _ = signal(number, action) } }
    // Without `exec`, Ctrl-Z would stop the shell between both. The command of root is a simple one.
    guard let input = unsafe popen(isRoot ? "exec \(command)" : command, "we") else { return false }
    // A reader who ends the pager early closes the pipe, which is no failure.
    try? Output.write(text, to: unsafe fileno(input))
    let status = unsafe pclose(input)
    // The shell ends with 126 or 127 if it cannot start the program.
    return ![126, 127].contains(status >> 8 & 0xff)
  }

  private static func isInstalled(_ program: String) -> Bool {
    let folders = (Environment.value("PATH") ?? "/usr/bin:/bin").unicodeScalars.split(separator: ":")
    return folders.contains { unsafe access("\(String($0))/\(program)", X_OK) == 0 }
  }
}
