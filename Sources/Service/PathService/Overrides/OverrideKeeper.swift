internal import PathConfiguration
internal import PathEngine
internal import PathModel
internal import SystemIO
internal import Varlink

/// Changes overrides for permitted clients, and keeps them in a file across restarts of the service.
final class OverrideKeeper {
  /// The group whose members may override; root may as well.
  private let group: String
  private let groupLookup: GroupLookup

  /// The failed operation to retry.
  private enum Repetition { case read, save }

  private let engine: PathEngine
  private let path: String?
  private var table = OverrideTable()
  /// The failure of the last operation on the file, as a note on the health; empty after a success.
  private(set) var notes: [String] = []
  private let loop: EventLoop
  private var timer: EventLoop.Timer?
  private var repetition: Repetition?
  private var pauses = RetryPauses()

  /// Reads the overrides in the file, if they are of this boot.
  ///
  /// - Parameter lookUp: Returns the number of the group, as ``GroupLookup`` calls it.
  init(
    loop: EventLoop, engine: PathEngine, path: String?, group: String,
    lookUp: @escaping @Sendable (String) -> UInt32? = UserDatabase.group(named:)
  ) {
    self.loop = loop
    self.engine = engine
    self.group = group
    groupLookup = GroupLookup(loop: loop, name: group, lookUp: lookUp)
    self.path = path
    timer = loop.makeTimer { [unowned self] in self.tryAgain() }
    read()
    engine.whenOverridesExpired = { [unowned self] in
      self.table = self.engine.reader.overrides
      self.save()
    }
  }

  /// Removes its timer and its watch from the loop. Call it before releasing the keeper.
  func stop() {
    if let timer { loop.remove(timer) }
    timer = nil
    groupLookup.stop()
  }

  // MARK: The file

  private func read() {
    guard let path else { return }
    do throws(OverrideStore.Problem) {
      table = try OverrideStore.read(path)
      attempted(.read, failure: nil)
    } catch {
      attempted(.read, failure: error.description, isWorthRepeating: error.isFailedReading)
    }
    engine.setOverrides(table)
    table = engine.reader.overrides
  }

  private func save() {
    guard let path else { return }
    do throws(SystemError) {
      try OverrideStore.write(table, to: path)
      attempted(.save, failure: nil)
    } catch {
      attempted(.save, failure: "overrides will be gone after a restart: \(error)")
    }
  }

  private func attempted(_ attempt: Repetition, failure: String?, isWorthRepeating: Bool = true) {
    notes = [failure].compactMap(\.self)
    if failure != nil, isWorthRepeating {
      repetition = attempt
      timer?.set(.now.advanced(by: pauses.next()))
    } else {
      repetition = nil
      pauses.reset()
      timer?.set(nil)
    }
  }

  private func tryAgain() {
    switch repetition {
    case .read: read()
    case .save: save()
    case nil: break
    }
  }

  // MARK: Calls

  /// Performs the request if the client has permission, and replies; later, if the group must be looked up.
  func perform(_ request: PathRequest, for connection: VarlinkConnection) {
    if connection.peer.user == 0 { return reply(to: request, connection, isAllowed: true) }
    let caller = groupLookup.withNumber { [unowned self] number in
      if connection.isClosed { return }
      let isMember = number.map { Self.isMember(connection, of: $0) } ?? false
      self.reply(to: request, connection, isAllowed: isMember)
    }
    // A lookup may take minutes, and must not hold the descriptors of clients that have left.
    if let caller { connection.whenCancelled = { [unowned self] in self.groupLookup.cancel(caller) } }
  }

  private static func isMember(_ connection: VarlinkConnection, of group: UInt32) -> Bool {
    if connection.peer.group == group { return true }
    return ((try? connection.supplementaryGroups()) ?? []).contains(group)
  }

  private func reply(to request: PathRequest, _ connection: VarlinkConnection, isAllowed: Bool) {
    do throws(VarlinkError) {
      guard isAllowed else { throw .permissionDenied(needed: "root, or membership in the group '\(group)'") }
      try change(request, by: connection.peer.user)
      connection.reply(VarlinkReply.frame { _ in })
    } catch {
      connection.fail(error)
    }
  }

  private func change(_ request: PathRequest, by user: UInt32) throws(VarlinkError) {
    switch request {
    case .setOverride(let field, let value, let interface, let duration, let why):
      try set(field, value, interface, duration, why, by: user)
    case .clearOverride(let field, let interface): try clear(field, interface)
    default: return
    }
    engine.setOverrides(table)
    save()
  }

  private func set(
    _ field: String, _ value: String, _ interface: String?, _ duration: Duration?, _ why: String?, by user: UInt32
  ) throws(VarlinkError) {
    let now = boottimeMicroseconds()
    if let interface, !engine.fresh(of: nil, { reader, _ in reader.hasInterface(named: interface) }) {
      throw .noSuchInterface(interface)
    }
    let override: PathOverride
    do throws(OverrideError) {
      override = try PathOverride(
        field: PathOverride.Field(name: field), value: value, interface: interface,
        expires: duration.map { now + Int($0.components.seconds) * 1_000_000 }, user: user, why: why, setAt: now)
    } catch {
      throw .invalidParameter(error.parameter, error.description)
    }
    do throws(OverrideTable.LimitError) {
      try table.set(override)
    } catch {
      throw .limitReached("overrides", error.limit)
    }
  }

  private func clear(_ field: String?, _ interface: String?) throws(VarlinkError) {
    do throws(OverrideError) {
      table.clear(
        field: try field.map { name throws(OverrideError) in try PathOverride.Field(name: name) }, interface: interface)
    } catch {
      throw .invalidParameter(error.parameter, error.description)
    }
  }
}
