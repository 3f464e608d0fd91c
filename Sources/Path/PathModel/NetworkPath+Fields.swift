// JSON, equality and the names of changed fields follow from the tables of the fields.

extension NetworkPath {
  /// All fields in the order of the wire: those of the state, and the place in a stream.
  package static var fields: [(key: String, type: String, meaning: String)] {
    State.fields.map { (key: $0.key, type: $0.type, meaning: $0.meaning) }
      + place.map { (key: $0.key, type: $0.type, meaning: $0.meaning) }
  }

  /// The capacity for most paths with the text around them, in bytes. malloc(3) hands out up to 1 KiB without a search.
  package static var usualLength: Int { 960 }

  /// A path from its JSON object, which must have ``status``, ``knowledge`` and ``interfaces``; see ``FieldObject``.
  ///
  /// - Throws: ``PathDecodingError`` with the key that is wrong.
  package init(json: JSONValue) throws(PathDecodingError) {
    self.init(try State(json: json))
    try Self.place.read(try json.object(), into: &self)
  }

  /// Appends the path as one JSON object. A field without a value is null, never left out.
  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writeMembers(to: &writer)
    writer.endObject()
  }

  /// Appends the members of the path.
  ///
  /// - Parameter omitted: The key of a field that is left out, for an object with a value of its own in its place.
  package func writeMembers(except omitted: String? = nil, to writer: inout JSONWriter) {
    State.fields.write(state, except: omitted, to: &writer)
    Self.place.write(self, except: omitted, to: &writer)
  }

  /// The path with all its texts in one line each; see ``Swift/String/inOneLine``.
  package var escaped: NetworkPath {
    var path = self
    path.change { $0 = $0.escaped }
    for field in Self.place { field.escape(&path) }
    return path
  }
}

/// Writes paths in JSON. Most calls of a service ask for a path that it has just written for somebody else, so the
/// latest state is encoded once (row `service-calls`).
package struct PathWriter {
  private var latest = NetworkPath.unknown
  private var members: [UInt8] = []

  /// A writer that has written nothing.
  package init() {}

  /// Appends the path, as ``NetworkPath/write(to:)`` does.
  package mutating func write(_ path: NetworkPath, to writer: inout JSONWriter) {
    if members.isEmpty || !latest.isCopy(of: path) {
      latest = path
      members = JSONWriter.members { NetworkPath.State.fields.write(path.state, to: &$0) }
    }
    writer.beginObject()
    writer.members(encoded: members)
    NetworkPath.place.write(path, to: &writer)
    writer.endObject()
  }
}

extension NetworkPath: Hashable, Encodable {
  /// Equality of the states; see the type.
  public static func == (left: NetworkPath, right: NetworkPath) -> Bool {
    left.isCopy(of: right) || left.state == right.state
  }

  /// Hashes some of the properties that `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(status)
    hasher.combine(interfaces)
    hasher.combine(gateways)
  }

  /// Encodes the path as it is written in JSON, so that `JSONEncoder().encode(path)` gives the object that programs in
  /// other languages read.
  public func encode(to encoder: any Encoder) throws { try JSONValue(written: { write(to: &$0) }).encode(to: encoder) }
}

extension NetworkPath.State: Equatable {
  /// Equality of all fields, but for texts of evidence, the sentence of the diagnosis, and times of the validation.
  package static func == (left: Self, right: Self) -> Bool { left.hasFields(of: right) }
}

extension NetworkPath {
  /// The names of the fields in which this path differs from an earlier one.
  ///
  /// The names are those of the properties and of the JSON keys.
  public func fieldsChanged(since earlier: NetworkPath) -> [String] {
    var changed: [String] = []
    if isCopy(of: earlier) { return changed }
    changed.reserveCapacity(State.fields.count)
    for field in State.fields where field.differs(state, earlier.state) { changed.append(field.key) }
    return changed
  }

  /// Sets ``changed`` to the fields in which this path differs from an earlier one; to none if there is no earlier one.
  package mutating func noteChanges(since earlier: NetworkPath?) {
    changed = earlier.map { fieldsChanged(since: $0) } ?? []
  }

  /// Whether a change to `next` takes something away: the connection, a family, name resolution, or the answers of the
  /// Internet.
  ///
  /// Losses are published later than gains, so that a reconfiguration does not flash "offline".
  package func isLoss(comparedTo next: NetworkPath) -> Bool {
    (status == .satisfied && next.status != .satisfied)
      || (supportsIPv4 && !next.supportsIPv4)
      || (supportsIPv6 && !next.supportsIPv6)
      || (supportsDNS && !next.supportsDNS)
      || (validation.state != next.validation.state && next.validation.state.isFault)
  }
}

extension NetworkPath: CustomReflectable {
  /// All properties, by their names.
  public var customMirror: Mirror {
    let parts = Mirror(reflecting: state).children.flatMap { child in
      child.value is Traffic ? Array(Mirror(reflecting: child.value).children) : [child]
    }
    let place: [Mirror.Child] = [
      ("sequence", sequence), ("boottimeMicroseconds", boottimeMicroseconds), ("changed", changed),
    ]
    return Mirror(self, children: parts + place, displayStyle: .struct)
  }
}

extension Field<NetworkPath.State> {
  /// The scope of each gateway, empty where it has none; no element at all if none of them has one.
  ///
  /// JSON has the scopes beside the addresses, so that a gateway reads the same whatever its interface is called.
  static var gatewayScopes: Self {
    Self(
      key: "gatewayScopes", type: "[]string",
      meaning: """
        The interface of each gateway that is a link-local IPv6 address, and an empty text for the others; empty when \
        none is.
        """,
      write: { state, writer in writer.array(scopes(of: state)) { $0.string($1) } },
      read: { state, json throws(PathDecodingError) in
        let scopes = try [String].read(json, of: "gatewayScopes")
        if scopes.isEmpty || state.gateways.isEmpty { return }
        do throws(PathDecodingError) {
          state.gateways = try scoped(state.gateways, to: scopes)
        } catch {
          throw error.inside("gatewayScopes")
        }
      },
      // A scope is a part of its gateway: paths with equal gateways have equal scopes.
      differs: { $0.gateways != $1.gateways && scopes(of: $0) != scopes(of: $1) })
  }

  private static func scopes(of state: NetworkPath.State) -> [String] {
    state.gateways.contains { $0.scope != nil } ? state.gateways.map { $0.scope ?? "" } : []
  }

  private static func scoped(
    _ gateways: [IPAddress], to scopes: [String]
  ) throws(PathDecodingError) -> [IPAddress] {
    guard scopes.count == gateways.count else {
      throw PathDecodingError(
        key: "",
        message:
          "has \(scopes.count) elements and 'gateways' has \(gateways.count): there must be one for each, or none")
    }
    for (index, scope) in scopes.enumerated() where !scope.isEmpty {
      guard InterfaceName.problem(with: scope) == nil else {
        throw PathDecodingError(key: "[\(index)]", message: "is not the name of an interface: \(scope.quotedInLine)")
      }
    }
    return zip(gateways, scopes).map { $1.isEmpty ? $0 : $0.scoped(to: $1) }
  }
}
