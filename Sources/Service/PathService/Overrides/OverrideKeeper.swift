internal import PathConfiguration
internal import PathEngine
internal import PathModel
internal import SystemIO
internal import Varlink

/// Changes overrides for permitted clients, and keeps them in a file across restarts of the service.
final class OverrideKeeper {
  /// The group whose members may override; root may as well.
  private let group: String
  private let groupsPath: String
  /// The number of the group when it was last looked up; `nil` without such a group.
  private var groupNumber: UInt32?

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
  /// - Parameters:
  ///   - group: The group whose members may override.
  ///   - groupsPath: The file with the system's groups.
  init(loop: EventLoop, engine: PathEngine, path: String?, group: String, groupsPath: String) {
    self.loop = loop
    self.engine = engine
    (self.group, self.groupsPath) = (group, groupsPath)
    self.path = path
    lookUpGroup()
    timer = loop.makeTimer { [unowned self] in self.tryAgain() }
    read()
    engine.whenOverridesExpired = { [unowned self] in
      self.table = self.engine.reader.overrides
      self.save()
    }
  }

  /// Looks the number of the group up again.
  func lookUpGroup() { groupNumber = UserDatabase.group(named: group, in: groupsPath) }

  /// Removes its timer from the loop. Call it before releasing the keeper.
  func stop() {
    if let timer { loop.remove(timer) }
    timer = nil
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

  /// Performs the request if the client has permission, and replies.
  func perform(_ request: PathRequest, for connection: VarlinkConnection) {
    do throws(VarlinkError) {
      try authorize(connection)
      try change(request, by: connection.peer.user)
      connection.reply(VarlinkReply.frame { _ in })
    } catch {
      connection.fail(error)
    }
  }

  /// Refuses a client that is neither root nor a member of the group.
  func authorize(_ connection: VarlinkConnection) throws(VarlinkError) {
    guard isAllowed(connection) else {
      throw .permissionDenied(needed: "root, or membership in the group '\(group)'")
    }
  }

  /// Whether the client is root or a member of the group. The kernel knows the groups that the client had when it
  /// connected.
  private func isAllowed(_ connection: VarlinkConnection) -> Bool {
    if connection.peer.user == 0 { return true }
    guard let groupNumber else { return false }
    if connection.peer.group == groupNumber { return true }
    return ((try? connection.supplementaryGroups()) ?? []).contains(groupNumber)
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
