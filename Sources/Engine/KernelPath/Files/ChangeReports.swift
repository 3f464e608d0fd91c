internal import SystemIO

/// The reports of changes of files, if they are wanted and the user has an inotify instance left.
struct ChangeReports {
  private let files: String
  private let watch: FileChangeWatch?
  /// The reason why there is no watch although reports are wanted.
  private let refusal: SystemError?
  /// The reason why wanted reports do not come, or not for all places; `nil` when they come.
  var note: String? {
    (refusal ?? watch?.failure).map { "changes of \(files) are noticed only every 30 s: \($0.description)" }
  }

  /// Reports nothing before ``follow(_:)``.
  ///
  /// - Parameters:
  ///   - files: The files in words, for the note.
  ///   - isWanted: Whether changes are to be reported at all.
  init(of files: String, isWanted: Bool) {
    self.files = files
    do throws(SystemError) {
      watch = isWanted ? try FileChangeWatch() : nil
      refusal = nil
    } catch {
      watch = nil
      refusal = error
    }
  }

  /// The descriptor that a loop watches for reading; `nil` when no reports come.
  var descriptor: Int32? { watch?.number }

  /// Discards the waiting reports. Returns whether there were any, or may have been any where wanted ones do not come.
  func mayHaveChanged() -> Bool { watch?.drain() == true || note != nil }

  /// Discards the waiting reports, and watches the places that `look` finds from now on.
  func follow(_ look: () -> WatchedPlaces) {
    guard let watch else { return }
    _ = watch.drain()
    watch.follow(look)
  }
}
