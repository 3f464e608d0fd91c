import Glibc
import SystemIO
import Testing

@Suite("Hosts and the routes to them")
struct HostLookupTests {
  /// The result of a lookup: whether there is a route, or why that is unknown.
  private static func outcome(_ addresses: [String]) -> Result<Bool, HostLookup.LookupError> {
    Result { () throws(HostLookup.LookupError) in try HostLookup.isRouted(toAnyOf: addresses) }
  }

  @Test func `addresses are looked up by name, and stand for themselves`() throws {
    #expect(try HostLookup.addresses(of: "192.0.2.7") == ["192.0.2.7"])
    #expect(try HostLookup.addresses(of: "2001:db8::7") == ["2001:db8::7"])
    #expect(try HostLookup.addresses(of: "localhost").contains { $0 == "127.0.0.1" || $0 == "::1" })
  }

  @Test func `one address with a route is enough`() {
    #expect(Self.outcome([]) == .success(false))
    // A datagram socket needs an option to send there.
    #expect(Self.outcome(["255.255.255.255"]) == .success(false))
    #expect(Self.outcome(["255.255.255.255", "127.0.0.1"]) == .success(true))
  }

  @Test func `a text that is no address is an error, and not a failure of ours`() {
    guard case .failure(let error) = Self.outcome(["no address"]) else {
      Issue.record("it is an address")
      return
    }
    #expect(!error.isOurs)
    #expect(error.isUnknownName)
    #expect(!error.reason.isEmpty)
  }

  @Test func `without descriptors the lookup fails on our side`() async {
    await #expect(processExitsWith: .success) {
      var limit = rlimit(rlim_cur: 0, rlim_max: 0)
      precondition(unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
      guard case .failure(let error) = Self.outcome(["127.0.0.1"]) else { preconditionFailure("it has a route") }
      precondition(error.isOurs && !error.reason.isEmpty)
      do throws(HostLookup.LookupError) {
        _ = try HostLookup.addresses(of: "host.example")
        preconditionFailure("it has an address")
      } catch {
        precondition(error.isOurs, "\(error)")
      }
    }
  }
}
