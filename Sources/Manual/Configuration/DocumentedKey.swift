internal import PathModel

/// A key of the configuration file, as the manual tells of it and the shipped file shows it.
package struct DocumentedKey: Hashable, Sendable {
  /// The section it stands in, without brackets.
  package var section: String
  /// What is written before the equals sign.
  package var name: String
  /// What it does, in sentences.
  package var meaning: String
  /// Which values it can have, in words without a full stop.
  package var allowed: String
  /// A value that it can have.
  package var example: String
  /// What counts when it is not there, as it would be written; `nil` when that is nothing.
  package var standard: String?

  /// All keys, in the order of the manual.
  package static let all = [
    DocumentedKey(
      section: "Monitor", name: "Probe",
      meaning: """
        The addresses whose routes stand for the Internet: there is a path while the kernel has usable routes for most \
        of those of a family. No packet is sent to them. On a network without a way to the Internet, name what \
        programs need. Each line adds to the list, and an empty value empties it.
        """,
      allowed: "IPv4 and IPv6 addresses in numbers, with spaces between; at most \(ProbeAddresses.limit) of a family",
      example: "10.0.0.1 fd00::1",
      standard: (ProbeAddresses.standard.ipv4 + ProbeAddresses.standard.ipv6).map(\.description).joined(separator: " ")),
    DocumentedKey(
      section: "Monitor", name: "Settle",
      meaning: """
        How long a change must rest before it is told to those who do not say. Empty, or without it, a gain rests for \
        50 ms and a loss for 200 ms, and no change is held back for more than a second.
        """,
      allowed: "a time span as in systemd.time(7), such as 0, 50ms or 1s", example: "200ms", standard: ""),
  ]
}
