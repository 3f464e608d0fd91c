internal import CNetlink
internal import Glibc
package import PathDecisions
internal import PathModel
internal import SystemIO

/// The TCP connections of this network namespace: the kernel lists them to everybody, and ends them for programs with
/// `CAP_NET_ADMIN` (sock_diag(7)).
package final class ConnectionTable {
  private let queries: QuerySocket

  /// Opens the socket.
  package init() throws(KernelPathError) { queries = try QuerySocket(of: NETLINK_SOCK_DIAG) }

  /// Lists the connections that pass the filter, those of both families.
  package func connections(_ filter: ConnectionFilter? = nil) throws(KernelPathError) -> [ConnectionFacts] {
    var found: [ConnectionFacts] = []
    let program = filter?.program
    for family in IPAddress.Family.allCases {
      let request = NetlinkRequest.connections(of: family, program)
      do throws(KernelPathError) {
        // A list that grows while it is read is no fault.
        _ = try queries.dump(request, of: "TCP connections") { (message) throws(NetlinkDecodingError) in
          guard message.type == SOCK_DIAG_BY_FAMILY, let connection = try ConnectionFacts(message) else {
            return
          }
          found.append(connection)
        }
      } catch {
        var error = error
        if error.errorNumber == ENOENT {
          error.advice = "The kernel needs the module tcp_diag (CONFIG_INET_TCP_DIAG) to list them."
        }
        throw error
      }
    }
    if let filter, program == nil { return filter.passing(found) }
    return found
  }

  /// The number of requests in a datagram. Each refusal takes a place in the receive buffer.
  private static let batchSize = 64

  /// Ends connections: a program that waits for one gets ECONNABORTED.
  ///
  /// - Returns: The error of each connection that was not ended, by its place. The number is ENOENT for one that has
  ///   ended by itself.
  package func end(_ connections: [ConnectionFacts]) -> [Int: KernelPathError] {
    var failures: [Int: KernelPathError] = [:]
    var start = 0
    while start < connections.count {
      let end = min(start + Self.batchSize, connections.count)
      do throws(KernelPathError) {
        let requests = connections[start..<end].map { NetlinkRequest.ending($0) }
        for (place, number) in try queries.order(requests) { failures[start + place] = Self.refusal(number) }
      } catch {
        for place in start..<connections.count { failures[place] = error }
        return failures
      }
      start = end
    }
    return failures
  }

  /// Finds out whether the kernel lists connections, and knows how to end one.
  ///
  /// It is asked to end a connection that cannot exist. Whether this program has the right is asked only for one that
  /// does.
  ///
  /// - Throws: ``KernelPathError`` with advice.
  package func check() throws(KernelPathError) {
    _ = try connections(.from([]))
    let nowhere = ConnectionFacts.Endpoint(IPAddress(ipv4: 0), 0)
    let failure = end([ConnectionFacts(local: nowhere, remote: nowhere, cookie: 1)])[0]
    if let failure, failure.errorNumber != ENOENT { throw failure }
  }

  /// The error for a refusal to end a connection.
  private static func refusal(_ errorNumber: Int32) -> KernelPathError {
    var error = KernelPathError(SystemError("end TCP connections", errorNumber: errorNumber))
    switch errorNumber {
    case EPERM: error.advice = "It takes CAP_NET_ADMIN."
    // A kernel before 4.5 does not know the request.
    case EOPNOTSUPP, EINVAL:
      error.advice = "The kernel needs CONFIG_INET_DIAG_DESTROY and the module tcp_diag for it."
    default: break
    }
    return error
  }
}

extension NetlinkRequest {
  /// The length of `struct inet_diag_req_v2`.
  private static let connectionRequestLength = 56

  /// `struct inet_diag_req_v2` for TCP.
  private static func connectionRequest(_ family: IPAddress.Family, extensions: UInt8, states: UInt32) -> [UInt8] {
    var structure: [UInt8] = [family.rawValue, NetlinkRequest.protocolTCP, extensions, 0]
    structure.append(inHostOrder: states)
    return structure
  }

  /// The request for all connections of the sockets of a family.
  fileprivate static func connections(of family: IPAddress.Family, _ filter: [UInt8]?) -> [UInt8] {
    // INET_DIAG_INFO
    var structure = connectionRequest(family, extensions: 1 << 1, states: ConnectionFacts.State.mask)
    structure += [UInt8](repeating: 0, count: connectionRequestLength - structure.count)
    var request = NetlinkRequest(Int(SOCK_DIAG_BY_FAMILY), flags: NLM_F_DUMP, structure: structure)
    // The kernel refuses a program without an operation.
    if let filter, !filter.isEmpty { request.put(INET_DIAG_REQ_BYTECODE, bytes: filter) }
    return request.bytes
  }

  /// The request to end a connection.
  fileprivate static func ending(_ connection: ConnectionFacts) -> [UInt8] {
    var structure = connectionRequest(connection.socketFamily, extensions: 0, states: .max)
    for port in [connection.local.port, connection.remote.port] { structure.append(inHostOrder: port.bigEndian) }
    structure += connection.local.address.socketBytes(of: connection.socketFamily)
    structure += connection.remote.address.socketBytes(of: connection.socketFamily)
    structure.append(inHostOrder: UInt32(bitPattern: connection.interfaceIndex))
    structure.append(inHostOrder: UInt32(truncatingIfNeeded: connection.cookie))
    structure.append(inHostOrder: UInt32(truncatingIfNeeded: connection.cookie >> 32))
    return NetlinkRequest(Int(SOCK_DESTROY), flags: 0, structure: structure).bytes
  }
}
