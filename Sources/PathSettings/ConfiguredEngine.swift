package import KernelPath
package import PathEngine
package import PathModel
package import SystemIO

/// An engine of a program, kept at what the administrator's files and overrides say.
///
/// The service reads its configuration again when the administrator asks for it. A program that asks the kernel itself
/// gets no such request, so that a file counts there once it is written. Subscriptions stay, with their settle times.
package final class ConfiguredEngine {
  /// How long files must rest before they are read: whoever writes them writes more than once.
  private static let quiet = Duration.milliseconds(100)
  /// The longest time until they are read, however often they change.
  private static let longest = Duration.seconds(1)
  /// When they are read again where changes are not noticed, or when the kernel could not be asked.
  private static let retry = Duration.seconds(30)

  /// The engine.
  package let engine: PathEngine
  private let loop: EventLoop
  private let overridesPath: String
  private let report: (_ fresh: [String]) -> Void
  private var settings: EngineSettings
  /// Tells of changes; `nil` where the system has no watches left.
  private let watch: FileChangeWatch?
  /// Whether the loop watches for them.
  private var isFollowing = false
  private var timer: EventLoop.Timer?
  /// When the first change was heard of that has not been read yet.
  private var firstHeard: MonotonicInstant?
  /// Whether the engine does not work with the settings yet.
  private var isOutdated = false

  /// The faults of the files, in one or two sentences each.
  package private(set) var problems: [String] = []
  /// How long a change must rest for those who do not say.
  package var times: SettleTimes { settings.times }

  /// Reads the files, and makes the engine.
  ///
  /// - Parameters:
  ///   - settings: The settings, which need not be read yet.
  ///   - socket: Where the service listens whose overrides hold here too; `nil` for the usual one.
  ///   - report: Told what is wrong with the files that was not said before.
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
      report(["changes of the configuration are noticed only every 30 s: \(error.description)"])
    }
    var settings = settings
    // Watch first, then read: a change in between is seen by the one or the other.
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

  /// Ends the watches of the loop. To be called before it is released.
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
      let present = engine.inquiry.overrides
      let consequence = present.overrides.isEmpty ? "nothing is overridden" : "overrides stay as they were"
      let overrides = try OverrideStore.read(overridesPath, otherwise: consequence)
      if overrides != present { engine.setOverrides(overrides) }
    } catch {
      found.append(error.description)
    }
    if isOutdated || !isFollowing { timer?.set(.now.advanced(by: Self.retry)) }
    if found == problems { return }
    let fresh = found.filter { !problems.contains($0) }
    problems = found
    report(fresh)
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
