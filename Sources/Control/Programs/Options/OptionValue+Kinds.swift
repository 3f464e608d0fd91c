package import PathModel

/// Kinds of values that options of every program take.
extension OptionValue {
  /// The time in the value.
  package func time() throws(UsageError) -> Duration {
    do throws(TimeSpan.ParseError) {
      return try TimeSpan.parse(text)
    } catch {
      throw rejected(as: "time", because: error.description)
    }
  }

  /// Adds the address in the value to the sample addresses.
  package func add(to probes: inout [IPAddress]) throws(UsageError) {
    guard let address = IPAddress(unscoped: text) else {
      throw rejected(as: "address", because: "an IPv4 or IPv6 address in numbers is needed")
    }
    probes.append(address)
    guard probes.count(where: { $0.family == address.family }) <= ProbeAddresses.limit else {
      throw UsageError("there are more than \(ProbeAddresses.limit) sample addresses of a family. Leave some out.")
    }
  }

  /// The path of a file in the value.
  package func path() throws(UsageError) -> String {
    if text.isEmpty { throw rejected(as: "path", because: "it is empty") }
    return text
  }

  /// The requirement in the value.
  package func requirement() throws(UsageError) -> PathRequirement {
    do throws(PathRequirement.ParseError) {
      return try PathRequirement(text)
    } catch {
      throw rejected(as: "requirement", because: error.description)
    }
  }
}
