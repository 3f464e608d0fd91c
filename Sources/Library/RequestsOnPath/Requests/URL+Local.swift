internal import ConnectivityCore
internal import Foundation
internal import PathModel

extension URL {
  /// Whether the URL names this machine itself, or nothing on any network.
  var isLocal: Bool {
    if let scheme = scheme?.lowercased(), ["file", "data"].contains(scheme) { return true }
    guard let host = host?.lowercased() else { return false }
    let name = host.hasSuffix(".") ? String(host.dropLast()) : host
    if name == "localhost" || name.hasSuffix(".localhost") { return true }
    return IPAddress(name.trimmingCharacters(in: ["[", "]"]))?.isLoopback == true
  }
}
