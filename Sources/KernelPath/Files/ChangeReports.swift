internal import SystemIO

/// The reports of changes of files, if they are wanted and the user has an inotify instance left.
struct ChangeReports {
  private let watch: FileChangeWatch?
  /// The reason why wanted reports do not come; `nil` when they come.
  let note: String?

  /// Reports nothing before ``follow(_:)``.
  ///
  /// - Parameters:
  ///   - files: The files in words, for the note.
  ///   - isWanted: Whether changes are to be reported at all.
  init(of files: String, isWanted: Bool) {
    do throws(SystemError) {
      watch = isWanted ? try FileChangeWatch() : nil
      note = nil
    } catch {
      watch = nil
      note = "changes of \(files) are noticed only every 30 s: \(error.description)"
    }
  }

  /// The descriptor that a loop watches for reading; `nil` when no reports come.
  var descriptor: Int32? { watch?.number }

  /// Discards the waiting reports. Returns whether there were any, or may have been any where wanted ones do not come.
  func mayHaveChanged() -> Bool { watch?.drain() ?? (note != nil) }

  /// Discards the waiting reports, and watches the places that `look` finds from now on.
  func follow(_ look: () -> WatchedPlaces) {
    guard let watch else { return }
    _ = watch.drain()
    watch.follow(look)
  }
}
