/// The errors by which the kernel refuses a route lookup, as errno numbers.
///
/// Source: `fib_props` in Linux's `net/ipv4/fib_semantics.c`, `ip6_rt_type_to_error` in `net/ipv6/route.c`, and
/// `fib_rule_action` in both families' `fib_rules.c`. The numbers are those of all architectures of Swift.
package enum LookupRefusal: Int32, CaseIterable, Sendable {
  /// `EACCES`: a route or rule of the type `prohibit`.
  case prohibited = 13
  /// `EINVAL`: a route or rule of the type `blackhole`.
  case blackhole = 22
  /// `ENETUNREACH`: no route, or a rule of the type `unreachable`.
  case noRoute = 101
  /// `EHOSTUNREACH`: a route of the type `unreachable`.
  case unreachable = 113

  /// The refusal by routes of a type; `nil` for types that refuse nothing.
  package init?(routeType: UInt8) {
    guard let refusal = Self.allCases.first(where: { $0.routeType == routeType }) else { return nil }
    self = refusal
  }

  /// The type of the routes that refuse so; `nil` for a lookup that found no route.
  package var routeType: UInt8? {
    switch self {
    case .prohibited: RouteType.prohibit
    case .blackhole: RouteType.blackhole
    case .noRoute: nil
    case .unreachable: RouteType.unreachable
    }
  }

  /// The name of the error, as in errno(3).
  package var errorName: String {
    switch self {
    case .prohibited: "EACCES"
    case .blackhole: "EINVAL"
    case .noRoute: "ENETUNREACH"
    case .unreachable: "EHOSTUNREACH"
    }
  }

  /// The refusal in words.
  package var words: String {
    switch self {
    case .prohibited: "prohibited"
    case .blackhole: "blackhole"
    case .noRoute: "no route"
    case .unreachable: "unreachable"
    }
  }
}
