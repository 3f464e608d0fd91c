package import PathModel

/// Values that options of every program take.
extension CommandLineOption {
  /// The time in the value.
  package func time(from value: String) throws(UsageError) -> Duration {
    do throws(TimeSpan.ParseError) {
      return try TimeSpan.parse(value)
    } catch {
      throw rejection(of: value, as: "time", because: error.description)
    }
  }

  /// Adds the address in the value to the sample addresses.
  package func addProbe(_ value: String, to probes: inout [IPAddress]) throws(UsageError) {
    guard let address = IPAddress(unscoped: value) else {
      throw rejection(of: value, as: "address", because: "an IPv4 or IPv6 address in numbers is needed")
    }
    probes.append(address)
    guard probes.count(where: { $0.family == address.family }) <= ProbeAddresses.limit else {
      throw UsageError("there are more than \(ProbeAddresses.limit) sample addresses of a family. Leave some out.")
    }
  }

  /// The path of a file in the value.
  package func path(from value: String) throws(UsageError) -> String {
    if value.isEmpty { throw rejection(of: value, as: "path", because: "it is empty") }
    return value
  }
}
