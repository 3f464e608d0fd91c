internal import CLinux
internal import Glibc

/// The terminal that controls this process: who is in the foreground there is who reads what is typed, and whom Ctrl-C
/// and Ctrl-Z reach.
package final class ControllingTerminal {
  private let descriptor: OwnedDescriptor
  /// The settings as they were found, for when a program has left the terminal in others and cannot tidy up.
  private var ownSettings = termios()
  private let hasSettings: Bool
  /// The settings of a group that is to have the terminal again.
  private var groupSettings: termios?

  /// The descriptor of the terminal.
  package var number: Int32 { descriptor.number }

  /// Opens the terminal; `nil` when there is none.
  ///
  /// From now on this thread may write to the terminal, and take it, from the background too.
  package init?() {
    guard let opened = try? systemCall("open the terminal", { unsafe clinux_open_for_reading("/dev/tty") }) else {
      return nil
    }
    descriptor = OwnedDescriptor(owning: opened)
    hasSettings = unsafe tcgetattr(opened, &ownSettings) == 0
    // Blocked, it lets the call pass that it would stop us for (termios(3)).
    var background = sigset_t()
    unsafe sigemptyset(&background)
    unsafe sigaddset(&background, SIGTTOU)
    unsafe pthread_sigmask(SIG_BLOCK, &background, nil)
  }

  /// Whether the group is in the foreground.
  package func isHeld(by group: ProcessGroup) -> Bool { tcgetpgrp(number) == group.number }

  /// Puts a group into the foreground, if our own is there, with the settings that it had last.
  package func give(to group: ProcessGroup) {
    guard isHeld(by: .own) else { return }
    if var settings = groupSettings.take() { unsafe tcsetattr(number, TCSADRAIN, &settings) }
    tcsetpgrp(number, group.number)
  }

  /// What is done to the settings when the terminal is taken.
  package enum Settings: Hashable, Sendable {
    /// They stay.
    case keep
    /// Those that were found in the beginning are put back.
    case restore
    /// The same, and the group gets its own again when it is given the terminal.
    case exchange
  }

  /// Puts our own group into the foreground, if the group is there. Returns whether it was.
  @discardableResult
  package func take(from group: ProcessGroup, _ settings: Settings) -> Bool {
    if settings != .exchange { groupSettings = nil }
    guard isHeld(by: group) else { return false }
    if settings == .exchange {
      var current = termios()
      if unsafe tcgetattr(number, &current) == 0 { groupSettings = current }
    }
    tcsetpgrp(number, ProcessGroup.own.number)
    if settings != .keep, hasSettings { unsafe tcsetattr(number, TCSADRAIN, &ownSettings) }
    return true
  }
}
