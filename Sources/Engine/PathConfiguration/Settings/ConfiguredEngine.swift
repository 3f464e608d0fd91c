package import KernelPath
package import PathEngine
package import PathModel
package import SystemIO

/// The engine of a program, which follows the administrator's files and overrides.
///
/// The service reads its configuration again when the administrator asks for it. A program that asks the kernel itself
/// gets no such request, so that it reads a file once it is written. Subscriptions stay, with their settle times.
package final class ConfiguredEngine {
  /// The time that files must rest before they are read, because programs write them in several steps.
  private static let quiet = Duration.milliseconds(100)
  /// The longest time before changed files are read, however often they change.
  private static let longest = Duration.seconds(1)
  /// The pause before the next reading if changes are not noticed, or if the kernel could not be asked.
  private static let retry = Duration.seconds(30)

  /// The engine.
  package let engine: PathEngine
  private let loop: EventLoop
  private let overridesPath: String
  private let report: (_ fresh: [String]) -> Void
  private var settings: EngineSettings
  /// The watch on the files; `nil` where the system has no watches left.
  private let watch: FileChangeWatch?
  /// Whether the loop watches the files.
  private var isFollowing = false
  private var timer: EventLoop.Timer?
  /// The time of the first change that has not been read yet.
  private var firstHeard: MonotonicInstant?
  /// Whether the engine does not use the latest settings yet.
  private var isOutdated = false

  /// The faults of the files, in one or two sentences each.
  package private(set) var problems: [String] = []
  /// The settle times for subscribers that choose none.
  package var times: SettleTimes { settings.times }

  /// Reads the files, and makes the engine.
  ///
  /// - Parameters:
  ///   - settings: The settings, which need not be read yet.
  ///   - socket: The socket of the service whose overrides hold here too; `nil` for the usual one.
  ///   - report: Called with the new faults of the files.
  /// - Throws: ``KernelPathError`` when the kernel cannot be asked at all.
  package init(
    loop: EventLoop, settings: EngineSettings, socket: String?, report: @escaping (_ fresh: [String]) -> Void
  ) throws(KernelPathError) {
    self.loop = loop
    self.report = report
    overridesPath = OverrideStore.path(forSocket: socket)
    do throws(SystemError) {
      watch = try FileChangeWatch()
    } catch {
      watch = nil
      report([Self.delay(error)])
    }
    var settings = settings
    // Watch first, then read, so that no change in between is missed.
    Self.rewatch(watch, settings, overridesPath)
    settings.read()
    self.settings = settings
    engine = try PathEngine(loop: loop, configuration: settings.configuration)
    timer = loop.makeTimer { [unowned self] in self.update() }
    if let watch {
      isFollowing = (try? loop.watch(watch.number) { [unowned self] _ in if watch.drain() { self.heard() } }) != nil
    }
    apply()
  }

  /// Removes the watches and the timers from the loop. To be called before the object is released.
  package func stop() {
    if let watch { loop.unwatch(watch.number) }
    if let timer { loop.remove(timer) }
    engine.stop()
  }

  private func heard() {
    let now = MonotonicInstant.now
    let first = firstHeard ?? now
    firstHeard = first
    timer?.set(min(now.advanced(by: Self.quiet), first.advanced(by: Self.longest)))
  }

  private func update() {
    firstHeard = nil
    Self.rewatch(watch, settings, overridesPath)
    if settings.read() { isOutdated = true }
    apply()
  }

  /// Configures the engine with the settings that were read, and reads the overrides.
  private func apply() {
    var found = settings.problems
    if isOutdated {
      do throws(KernelPathError) {
        try engine.reconfigure(settings.configuration)
        isOutdated = false
      } catch {
        found.append("The configuration cannot be used now: \(error.description). Everything stays as it was.")
      }
    }
    do throws(OverrideStore.Problem) {
      let present = engine.reader.overrides
      let consequence = present.overrides.isEmpty ? "nothing is overridden" : "overrides stay as they were"
      let overrides = try OverrideStore.read(overridesPath, otherwise: consequence)
      if overrides != present { engine.setOverrides(overrides) }
    } catch {
      found.append(error.description)
    }
    if let failure = watch?.failure { found.append(Self.delay(failure)) }
    if isOutdated || !isFollowing || watch?.failure != nil { timer?.set(.now.advanced(by: Self.retry)) }
    if found == problems { return }
    let fresh = found.filter { !problems.contains($0) }
    problems = found
    report(fresh)
  }

  private static func delay(_ error: SystemError) -> String {
    "changes of the configuration are noticed only every 30 s: \(error.description)"
  }

  private static func rewatch(_ watch: FileChangeWatch?, _ settings: EngineSettings, _ overridesPath: String) {
    guard let watch else { return }
    _ = watch.drain()
    watch.follow {
      var places = settings.places
      places.insert(overridesPath)
      return places
    }
  }
}
