/// The difference between the clock of this process and that of the machine.
///
/// In a time namespace (time_namespaces(7)) CLOCK_BOOTTIME has an offset. Moments that processes exchange are those of
/// the machine, because two of them may be in different namespaces.
package enum TimeNamespace {
  /// The nanoseconds by which CLOCK_BOOTTIME is ahead here.
  static let boottimeOffset = ownOffset()

  private static func ownOffset() -> Int64 {
    // The file has the offsets of the namespace for children. Those of another one are not known.
    guard Files.linkTarget("/proc/self/ns/time") == Files.linkTarget("/proc/self/ns/time_for_children"),
      let contents = try? Files.read("/proc/self/timens_offsets")
    else { return 0 }
    return boottimeOffset(in: contents)
  }

  /// The offset in the lines of `/proc/PID/timens_offsets`, each a clock, seconds and nanoseconds; 0 without one.
  package static func boottimeOffset(in contents: [UInt8]) -> Int64 {
    for line in contents.split(separator: UInt8(ascii: "\n")) {
      let words = line.split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
      guard words.count == 3, words[0] == "boottime", let seconds = Int64(words[1]), let nanoseconds = Int64(words[2])
      else { continue }
      let (whole, isTooLarge) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
      return isTooLarge ? 0 : whole &+ nanoseconds
    }
    return 0
  }
}
