internal import CLinux
internal import Glibc

/// The arguments of this process, as main() received them.
///
/// `CommandLine` of Swift 6.3 reads `/proc/self/cmdline`. Without procfs, as in a bare chroot, it has no arguments, and
/// a program would do something else than its user asked for.
package enum OwnArguments {
  /// The arguments after the program's name. Bytes that are no UTF-8 are replaced.
  package static var words: [String] {
    (1..<max(1, count)).map { position in
      unsafe clinux_argument(position).map { unsafe String(cString: $0) } ?? ""
    }
  }

  /// The bytes of the last arguments, each with the NUL at its end. A word that is no valid UTF-8, as a file name may
  /// be, keeps its bytes.
  ///
  /// - Parameter words: The same arguments as strings.
  package static func bytes(ofLast words: [String]) -> [[CChar]] {
    guard Int(count) > words.count else { return words.map { Array($0.utf8CString) } }
    return (count - Int32(words.count)..<count).map { position in
      guard let word = unsafe clinux_argument(position) else { return [0] }
      return unsafe Array(UnsafeBufferPointer(start: word, count: strlen(word) + 1))
    }
  }

  private static var count: Int32 { clinux_argument_count() }
}
