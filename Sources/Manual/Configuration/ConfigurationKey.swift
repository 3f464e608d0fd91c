internal import PathModel

/// A key of the configuration file, as the manual tells of it and the shipped file shows it.
package struct ConfigurationKey: Hashable, Sendable {
  /// The section it stands in, without brackets.
  package var section: String
  /// What is written before the equals sign.
  package var name: String
  /// What its value is called.
  var value: String
  /// What counts when it is not there, as it would be written.
  package var standard: String
  /// What it does, as prose.
  var text: String

  /// All keys, in the order of the manual.
  package static let all = [
    ConfigurationKey(
      section: "Monitor", name: "Probe", value: "ADDRESS...",
      standard: (ProbeAddresses.standard.ipv4 + ProbeAddresses.standard.ipv6).map(\.description).joined(separator: " "),
      text: """
        Addresses, IPv4 or IPv6 in numbers, whose routes stand for the Internet, with spaces between them; at most \
        \(ProbeAddresses.limit) of a family. The path is connected while the kernel has usable routes for most of \
        those of a family. No packet is sent there. On a network without a way to the Internet, name what your programs need. The \
        key may be repeated; an empty value takes back what stands above it.
        """),
    ConfigurationKey(
      section: "Monitor", name: "Settle", value: "TIME", standard: "",
      text: """
        How long a change must rest before it is told, for those who do not say, as in systemd.time(7); 0 tells each \
        at once. Without it a gain rests for 50 ms and a loss for 200 ms. No change is held back for more than a \
        second, or for this time if that is longer.
        """),
  ]
}
