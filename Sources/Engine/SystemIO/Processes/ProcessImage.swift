internal import Glibc

/// The program that this process runs.
package enum ProcessImage {
  /// The path of the program's file; `nil` without procfs.
  package static var path: String? { Files.linkTarget("/proc/self/exe") }

  /// Replaces the program by another one. It keeps the process: its number, terminal, standard descriptors and
  /// environment.
  ///
  /// - Parameters:
  ///   - path: The file of the new program.
  ///   - words: Its name and its arguments.
  /// - Throws: ``SystemError`` if the program cannot be run.
  package static func replace(with path: String, _ words: [String]) throws(SystemError) -> Never {
    var pointers: [UnsafeMutablePointer<CChar>?] = unsafe words.map { unsafe strdup($0) } + [nil]
    unsafe execv(path, &pointers)
    let errorNumber = errno
    for index in words.indices { unsafe free(pointers[index]) }
    throw SystemError("run \(path)", errorNumber: errorNumber)
  }
}
