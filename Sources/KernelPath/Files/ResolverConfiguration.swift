internal import Glibc
internal import PathModel
internal import SystemIO

/// The resolver configuration, read when it changes.
///
/// Watched are the file itself and the directory of each hop of its chain of symbolic links: the file for
/// bind mounts (containers, `ip netns exec`), which no directory tells of, and the directories for files
/// that are replaced.
final class ResolverConfiguration {
  private let path: String
  private let upstreamPath: String
  private let watch: FileChangeWatch?
  /// What the configuration says.
  private(set) var facts: ResolverFacts = .unknown("not read yet")
  /// Why changes are not noticed; `nil` when they are.
  private var watchNote: String?
  /// Why the configuration could not be read the last time; `nil` when it could, also where there is none.
  private var failure: SystemError?

  /// Whether the latest reading failed, so that another one may succeed without a change of the file.
  var hasFailed: Bool { failure != nil }
  /// What could not be read or watched, in words.
  var notes: [String] { [failure.map { "\($0.description): it is tried again" }, watchNote].compactMap(\.self) }

  /// What a loop watches for reading; `nil` where the system has no watches left.
  var descriptor: Int32? { watch?.number }

  /// Reads resolv.conf(5), and what systemd-resolved wrote for itself where that names its stub only.
  init(
    path: String = "/etc/resolv.conf", upstreamPath: String = "/run/systemd/resolve/resolv.conf",
    isWatching: Bool = true
  ) {
    self.path = path
    self.upstreamPath = upstreamPath
    do throws(SystemError) {
      watch = isWatching ? try FileChangeWatch() : nil
    } catch {
      watch = nil
      watchNote = "changes of \(path) are noticed only every 30 s: \(error.description)"
    }
    update()
  }

  /// Reads again if there was a change. Returns whether there was.
  func updateIfChanged() -> Bool {
    guard watch?.drain() == true else { return false }
    update()
    return true
  }

  /// Takes note of changes and reads again.
  func update() {
    // Watch first, then read: a change in between is seen by the one or the other.
    if let watch {
      _ = watch.drain()
      watch.follow(watchedPlaces)
    }
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

  /// The files, and the directory of each hop; of a directory that does not exist the nearest one that does. What else
  /// is written in these directories does not matter: there is no change in /etc that wakes us but of its names.
  private func watchedPlaces() -> WatchedPlaces {
    var places = WatchedPlaces()
    for start in [path, upstreamPath] {
      var hop = start
      for _ in 0..<8 {
        places.paths.insert(hop)
        places.names.insert(Files.existingDirectory(above: hop))
        guard let target = Files.linkTarget(hop) else { break }
        hop = target.hasPrefix("/") ? target : "\(Files.directory(of: hop))/\(target)"
      }
    }
    return places
  }
}
