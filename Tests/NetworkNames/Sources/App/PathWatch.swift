#if canImport(Network)
  import Foundation
  import Network
#else
  #error("the target Network is missing")
#endif

#if canImport(Reachability)
  #error("a product for another platform was built")
#endif

/// Watches the path by Apple's names, with and without the name of the module.
public final class PathWatch: Sendable {
  private let monitor = NWPathMonitor(prohibitedInterfaceTypes: [.loopback])
  private let queue = DispatchQueue(label: "path")

  /// A watch that has not been started.
  public init() {}

  /// Calls the closure with the status and the routers.
  public func start(_ onChange: @escaping @Sendable (Network.NWPath.Status, [String]) -> Void) {
    monitor.pathUpdateHandler = { (path: Network.NWPath) in
      onChange(path.status, path.gateways.map { Self.spelling(of: $0) })
    }
    monitor.start(queue: queue)
  }

  /// Ends the calls.
  public func stop() { monitor.cancel() }

  /// Every end, as programs that print one have it.
  public static func spelling(of endpoint: Network.NWEndpoint) -> String {
    switch endpoint {
    case .hostPort(let host, let port): "\(host):\(port)"
    case .service(let name, let type, let domain, _): "\(name).\(type).\(domain)"
    case .unix(let path): path
    case .url(let url): url.absoluteString
    @unknown default: "\(endpoint)"
    }
  }
}
