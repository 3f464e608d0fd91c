internal import CLinux

/// The code that runs when the path changes.
package enum HotCode {
  /// Has the processor fetch it, all at once and without waiting for it. To be called when it is about to run after a
  /// long sleep: the processor's caches have forgotten it, and would fetch it piece by piece.
  package static func prefetch() { clinux_prefetch_hot_code() }
}
