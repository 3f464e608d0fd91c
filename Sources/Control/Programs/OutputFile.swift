internal import PathModel
internal import SystemIO

/// A file that a program writes as a whole, in place of the one that has its name.
package enum OutputFile {
  /// The reason why nothing is written to the file, with advice; `nil` if it is a regular file or a new one. A device,
  /// a pipe or a link would be replaced.
  ///
  /// - Parameter alternative: The words that send the output elsewhere.
  package static func problem(with file: String, alternative: String) -> String? {
    guard Files.isThere(file), !Files.isRegular(file) else { return nil }
    return "\(file.quotedInLine) is not a regular file. Name another one, or \(alternative) for standard output."
  }
}
