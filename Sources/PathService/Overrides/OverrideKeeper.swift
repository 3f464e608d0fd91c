internal import PathCoding
internal import PathEngine
internal import PathModel
internal import SystemIO
internal import Varlink

/// Lets those who may set overrides, and keeps what they set in a file across restarts of the service.
final class OverrideKeeper {
  /// Whose members may override; root may as well.
  private let group: String

  private let engine: PathEngine
  private let path: String?
  private var table = OverrideTable()
  /// What went wrong with the file, in words.
  private(set) var notes: [String] = []

  /// Takes up the overrides in the file, if there are any of this boot.
  init(engine: PathEngine, path: String?, group: String) {
    self.engine = engine
    self.group = group
    self.path = path
    if let path {
      do throws(OverrideStore.Problem) {
        table = try OverrideStore.read(path)
      } catch {
        notes = [error.description]
      }
    }
    engine.setOverrides(table)
    table = engine.inquiry.overrides
    engine.whenOverridesExpired = { [unowned self] in
      self.table = self.engine.inquiry.overrides
      self.save()
    }
  }

  /// Does what is asked, if the client may ask for it.
  func perform(_ request: PathRequest, for connection: VarlinkConnection) throws(VarlinkError) {
    guard mayOverride(connection) else {
      throw .permissionDenied(needed: "root, or membership in the group '\(group)'")
    }
    switch request {
    case .setOverride(let field, let value, let interface, let duration, let why):
      try set(field, value, interface, duration, why, by: connection.peer.user)
    case .clearOverride(let field, let interface): try clear(field, interface)
    default: return
    }
    engine.setOverrides(table)
    save()
  }

  private func mayOverride(_ connection: VarlinkConnection) -> Bool {
    let peer = connection.peer
    if peer.user == 0 { return true }
    guard let number = UserDatabase.group(named: group) else { return false }
    if peer.group == number { return true }
    return ((try? connection.supplementaryGroups()) ?? []).contains(number)
  }

  private func set(
    _ field: String, _ value: String, _ interface: String?, _ duration: Duration?, _ why: String?, by user: UInt32
  ) throws(VarlinkError) {
    let now = boottimeMicroseconds()
    if let interface, !engine.fresh(of: nil, { inquiry, _ in inquiry.hasInterface(named: interface) }) {
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

  private func save() {
    guard let path else { return }
    do throws(SystemError) {
      try OverrideStore.write(table, to: path)
      notes = []
    } catch {
      notes = ["overrides will be gone after a restart: \(error)"]
    }
  }
}
