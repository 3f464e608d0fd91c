internal import CLinux
internal import Glibc

/// The terminal that controls this process. Its foreground group reads the typed input and receives the signals of
/// Ctrl-C and Ctrl-Z.
package final class ControllingTerminal {
  private let descriptor: OwnedDescriptor
  /// The initial settings, for the case that a program leaves others behind and cannot tidy up.
  private var ownSettings = termios()
  private let hasSettings: Bool
  /// The settings of a group that will get the terminal again.
  private var groupSettings: termios?

  /// The descriptor of the terminal.
  package var number: Int32 { descriptor.number }

  /// Opens the terminal; `nil` when there is none.
  ///
  /// From now on, this thread may write to the terminal, and take it, even from the background.
  package init?() {
    guard let opened = try? systemCall("open the terminal", { unsafe clinux_open_for_reading("/dev/tty") }) else {
      return nil
    }
    descriptor = OwnedDescriptor(owning: opened)
    hasSettings = unsafe tcgetattr(opened, &ownSettings) == 0
    // While SIGTTOU is blocked, a call from the background proceeds instead of stopping us (termios(3)).
    var background = sigset_t()
    unsafe sigemptyset(&background)
    unsafe sigaddset(&background, SIGTTOU)
    unsafe pthread_sigmask(SIG_BLOCK, &background, nil)
  }

  /// Whether the group is in the foreground.
  package func isHeld(by group: ProcessGroup) -> Bool { tcgetpgrp(number) == group.number }

  /// Puts a group into the foreground with its last settings, if our own group is there.
  package func give(to group: ProcessGroup) {
    guard isHeld(by: .own) else { return }
    if var settings = groupSettings.take() { unsafe tcsetattr(number, TCSADRAIN, &settings) }
    tcsetpgrp(number, group.number)
  }

  /// The treatment of the settings when the terminal is reclaimed.
  package enum Settings: Hashable, Sendable {
    /// The settings stay.
    case keep
    /// The initial settings are restored.
    case restore
    /// The initial settings are restored, and the group gets its own again together with the terminal.
    case exchange
  }

  /// Puts our own group into the foreground, if the group is there. Returns whether it was.
  @discardableResult
  package func reclaim(from group: ProcessGroup, _ settings: Settings) -> Bool {
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
