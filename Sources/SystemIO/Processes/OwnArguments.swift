internal import CLinux
internal import Glibc

/// The arguments of this process, as main() was given them.
///
/// `CommandLine` of Swift 6.3 reads `/proc/self/cmdline`: without procfs, as in a bare chroot, there are none, and a
/// program would do something else than it was told.
package enum OwnArguments {
  /// The arguments after the program's name. Bytes that are no UTF-8 are replaced.
  package static var words: [String] {
    (1..<max(1, count)).map { position in
      unsafe clinux_argument(position).map { unsafe String(cString: $0) } ?? ""
    }
  }

  /// The bytes of the last arguments, each with the NUL at its end: a word that is no valid UTF-8, as a file name need
  /// not be, is handed on as it is.
  ///
  /// - Parameter words: The same as strings.
  package static func bytes(ofLast words: [String]) -> [[CChar]] {
    guard Int(count) > words.count else { return words.map { Array($0.utf8CString) } }
    return (count - Int32(words.count)..<count).map { position in
      guard let word = unsafe clinux_argument(position) else { return [0] }
      return unsafe Array(UnsafeBufferPointer(start: word, count: strlen(word) + 1))
    }
  }

  private static var count: Int32 { clinux_argument_count() }
}
