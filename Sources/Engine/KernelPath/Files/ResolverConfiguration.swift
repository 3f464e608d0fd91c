internal import Glibc
internal import PathDecisions
internal import SystemIO

/// The resolver configuration, read when it changes.
///
/// It watches the file itself and the directory of each hop in its chain of symbolic links. The watch on the file
/// reports bind mounts (containers, `ip netns exec`), which no directory reports. The watches on the directories report
/// files that are replaced.
final class ResolverConfiguration {
  private let path: String
  private let upstreamPath: String
  private let reports: ChangeReports
  /// The facts of the configuration.
  private(set) var facts: ResolverFacts = .unknown("not read yet")
  /// The reason why the latest reading failed; `nil` when it succeeded or found no file.
  private var failure: SystemError?

  /// Whether the latest reading failed, so that another one may succeed without a change of the file.
  var hasFailed: Bool { failure != nil }
  /// Whether changes are wanted that are not all reported, so that another reading may bring news.
  var lacksReports: Bool { reports.note != nil }
  /// The failures to read or watch the files, in words.
  var notes: [String] { [failure.map { "\($0.description): it is tried again" }, reports.note].compactMap(\.self) }

  /// The descriptor that a loop watches for reading; `nil` without a watch, for example where the system has none left.
  var descriptor: Int32? { reports.descriptor }

  /// Reads resolv.conf(5). If it names only the stub of systemd-resolved, the upstream file is read, too.
  init(
    path: String = "/etc/resolv.conf", upstreamPath: String = "/run/systemd/resolve/resolv.conf",
    isWatching: Bool = true
  ) {
    self.path = path
    self.upstreamPath = upstreamPath
    reports = ChangeReports(of: path, isWanted: isWatching)
    update()
  }

  /// Reads again if there was a change. Returns whether there was one.
  func updateIfChanged() -> Bool {
    guard reports.mayHaveChanged() else { return false }
    let former = facts
    update()
    // Where nothing reports a change, the contents alone show it.
    return reports.note == nil || facts != former
  }

  /// Discards the waiting change events and reads again.
  func update() {
    // Watch first, then read, so that no change in between is missed.
    reports.follow(watchedPlaces)
    failure = nil
    facts = read()
  }

  private func read() -> ResolverFacts {
    switch nameServers(in: path) {
    case .failure(let error):
      return error.errorNumber == ENOENT ? .none("\(path), which does not exist") : unknown(error)
    case .success(let servers) where ResolverFacts.areStubs(servers):
      switch nameServers(in: upstreamPath) {
      case .success(let upstream): return .localResolver(upstream: upstream)
      case .failure(let error) where error.errorNumber == ENOENT: return .servers(servers)
      case .failure(let error): return unknown(error)
      }
    case .success(let servers):
      return servers.isEmpty ? .none(path) : .servers(servers)
    }
  }

  private func unknown(_ error: SystemError) -> ResolverFacts {
    failure = error
    return .unknown(error.description)
  }

  private func nameServers(in path: String) -> Result<[String], SystemError> {
    do throws(SystemError) {
      return .success(ResolverFacts.nameServers(in: String(decoding: try Files.read(path), as: UTF8.self)))
    } catch {
      return .failure(error)
    }
  }

  /// The files, and the directory of each hop or, if that does not exist, the nearest existing one above. Directories
  /// are watched only for entries that come and go, so that writing to other files in /etc does not wake us.
  private func watchedPlaces() -> WatchedPlaces {
    var places = WatchedPlaces()
    for start in [path, upstreamPath] {
      var hop = start
      for _ in 0..<8 {
        places.paths.append(hop)
        places.names.append(Files.existingDirectory(above: hop))
        guard let target = Files.linkTarget(hop) else { break }
        hop = target.hasPrefix("/") ? target : "\(Files.directory(of: hop))/\(target)"
      }
    }
    return places
  }
}
