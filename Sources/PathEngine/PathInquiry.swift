package import KernelPath
package import PathModel
internal import SystemIO

/// Asks the kernel and remembers the latest answer. ``PathEngine`` makes a stream of it; who wants one answer
/// needs no more than this.
package final class PathInquiry {
  /// What an inquiry works with.
  package struct Configuration: Sendable {
    /// The destinations that stand for the Internet.
    package var probes = ProbeAddresses.standard
    /// What an administrator says of interfaces.
    package var rules = InterfaceRules()
    /// How many bytes of messages the kernel may hold for us.
    package var receiveBuffer: Int32 = 2 << 20
    /// Where sysfs and the resolver configuration are.
    package var paths = KernelFilePaths()

    /// The usual configuration.
    package init() {}

    /// Takes over what an administrator's files say of probes and interfaces.
    package mutating func apply(_ files: MergedConfiguration) {
      if let configured = files.monitor.probes { probes = configured }
      rules = files.rules
    }
  }

  let configuration: Configuration
  let kernel: Kernel
  private let own: UserClassPath
  /// The other classes of users that are followed; `nil` for one that could not be asked for yet.
  private var others: [UInt32: UserClassPath?] = [:]
  private var classes = UserClasses(ranges: [])
  /// The count of rule changes when the classes were made; `nil` when they have to be made.
  private var classesMadeAt: Int?

  /// What an administrator has overridden.
  package var overrides = OverrideTable()
  /// What went wrong with the latest attempt to ask; `nil` when nothing did.
  package private(set) var failure: KernelPathError?
  /// How often has been evaluated.
  package private(set) var evaluations = 1

  /// Asks for the first time.
  ///
  /// - Parameter isFollowing: Whether changes are listened for. Without, everything is as it was at the start.
  /// - Throws: ``KernelPathError`` when the kernel cannot be asked at all.
  package init(_ configuration: Configuration = Configuration(), isFollowing: Bool) throws(KernelPathError) {
    self.configuration = configuration
    kernel = try Kernel(
      probes: configuration.probes, receiveBuffer: isFollowing ? configuration.receiveBuffer : nil,
      paths: configuration.paths, rules: configuration.rules)
    own = try UserClassPath(of: nil, kernel, configuration.probes)
  }

  /// Goes on where another inquiry ends: with what is overridden, what a network manager says, and with its counts.
  func takeOver(from predecessor: PathInquiry) {
    kernel.networkFacts.meteredByName = predecessor.kernel.networkFacts.meteredByName
    overrides = predecessor.overrides
    evaluations += predecessor.evaluations
  }

  /// The latest evaluation of our own path; nothing is overridden in it.
  package var evaluation: PathEvaluation { own.evaluation }

  /// The latest path, with what is overridden; of our own or of a class of users that is followed.
  package func path(of user: UInt32? = nil) -> NetworkPath {
    overrides.applied(to: classPath(of: user)?.path ?? .unknown)
  }

  /// What the class has; `nil` when it could not be asked for.
  private func classPath(of representative: UInt32?) -> UserClassPath? {
    guard let representative else { return own }
    return others[representative] ?? nil
  }

  /// How the latest evaluation came about, line by line.
  package func explanation(of user: UInt32? = nil) -> [String] {
    var notes = kernel.notes
    if let failure { notes.append(failure.description) }
    guard let evaluation = classPath(of: user)?.evaluation else { return notes }
    let path = path(of: user)
    return PathExplanation.steps(
      evaluation, cost: path.cost, state: kernel.state, resolver: kernel.resolver, notes: notes)
      + path.overrides.map { "override: \($0)" }
  }

  /// What the kernel or the system refused us, and what went wrong, in words.
  package var notes: [String] {
    kernel.notes + [failure?.description].compactMap(\.self)
  }

  /// All interfaces but loopback, by index, as the latest evaluation found them.
  package func interfaces() -> [ListedInterface] {
    var view = kernel
    return ListedInterface.all(&view, own.evaluation, overrides)
  }

  /// Whether there is an interface of the name.
  package func hasInterface(named name: String) -> Bool {
    kernel.state.interfaces.contains { $0.link.name == name }
  }

  /// The path to a host with these addresses. One address of each family is enough.
  ///
  /// When the kernel cannot be asked it is ``NetworkPath/unknown``, and ``failure`` says why.
  package func path(to destinations: [IPAddress], of user: UInt32? = nil) -> NetworkPath {
    var kernel = kernel
    kernel.askAnew()
    do throws(KernelPathError) {
      let probes = ProbeAddresses(destinations)
      var evaluation = try PathEvaluator.evaluate(&kernel, probes: probes, user: user, countsLocal: true)
      // What is below may be other links than those of the path to the Internet.
      if try kernel.readAgain(Uplinks(kernel.state).readingOrder(of: evaluation.links)) {
        evaluation = try PathEvaluator.evaluate(&kernel, probes: probes, user: user, countsLocal: true)
      }
      var path = evaluation.path
      path.boottimeMicroseconds = boottimeMicroseconds()
      return overrides.applied(to: path)
    } catch {
      failure = error
      return .unknown
    }
  }

  // MARK: Users

  /// Who stands for the class of the user; `nil` when our own path is theirs too.
  ///
  /// When the rules cannot be read, users count as ourselves; ``failure`` says why.
  func representative(of user: UInt32?) -> UInt32? {
    guard let user else { return nil }
    updateClasses()
    let representative = classes.representative(of: user)
    return representative == classes.representative(of: ProcessIdentity.user) ? nil : representative
  }

  /// Whether the rules have changed since the classes were made.
  var classesAreOld: Bool { classesMadeAt != kernel.ruleChanges }

  private func updateClasses() {
    guard classesAreOld else { return }
    do throws(KernelPathError) {
      classes = UserClasses(ranges: try kernel.userRanges())
      classesMadeAt = kernel.ruleChanges
    } catch {
      failure = error
    }
  }

  /// How many classes of users are followed beside our own.
  var followedClasses: Int { others.count }

  /// Evaluates for a class of users from now on, whenever it is evaluated.
  func follow(_ representative: UInt32) {
    guard others[representative] == nil else { return }
    do throws(KernelPathError) {
      others[representative] = try UserClassPath(of: representative, kernel, configuration.probes)
    } catch {
      others.updateValue(nil, forKey: representative)
      failure = error
    }
  }

  /// Evaluates no more for classes that nobody subscribes to.
  func followOnly(_ representatives: Set<UInt32>) {
    for user in others.keys where !representatives.contains(user) { others[user] = nil }
  }

  // MARK: Following

  /// Whether the system had no watches left for the resolver configuration or the leases.
  var lacksWatches: Bool { kernel.resolverDescriptor == nil || kernel.leaseDescriptor == nil }

  /// Reads the links that the latest paths rest on, as their messages may be late.
  func readLinksAgain() {
    var indices: [Int32] = []
    for classPath in [own] + others.values.compactMap(\.self) {
      for index in classPath.evaluation.links where !indices.contains(index) { indices.append(index) }
    }
    do throws(KernelPathError) {
      _ = try kernel.readAgain(Uplinks(kernel.state).readingOrder(of: indices))
    } catch {
      failure = error
    }
  }

  /// The routers that the kernel chooses the latest paths' routes by.
  var routers: RouterWatch {
    if others.isEmpty { return own.evaluation.routers }
    var routers = own.evaluation.routers
    for other in others.values.compactMap(\.self) { routers.formUnion(other.evaluation.routers) }
    return routers
  }

  /// When any of the paths may change without any event.
  var reevaluateAfter: Duration? {
    others.values.reduce(own.evaluation.reevaluateAfter) { soonest, other in
      guard let after = other?.evaluation.reevaluateAfter else { return soonest }
      return min(soonest ?? after, after)
    }
  }

  /// Takes in what the kernel has said since the last call; `nil` when it could not be heard.
  func drain() -> Kernel.DrainResult? {
    do throws(KernelPathError) {
      return try kernel.drain()
    } catch {
      failure = error
      return nil
    }
  }

  /// Evaluates again by what has been heard; for the families in `anew` also what no message has touched is asked for.
  ///
  /// When the kernel cannot be asked, the latest path is marked as stale.
  ///
  /// - Returns: Whether any path may be another than it was.
  func evaluate(anew families: AddressFamilies) -> Bool {
    kernel.askAnew(families)
    evaluations += 1
    do throws(KernelPathError) {
      try kernel.bringUpToDate()
      var isChange = try own.evaluate(kernel, configuration.probes)
      if !others.isEmpty {
        for user in others.keys where try evaluate(user) { isChange = true }
      }
      failure = nil
      return isChange
    } catch {
      failure = error
      own.becomeStale()
      for user in others.keys { others[user]??.becomeStale() }
      return true
    }
  }

  /// Returns whether the path may be another than it was.
  private func evaluate(_ user: UInt32) throws(KernelPathError) -> Bool {
    if case .some(.none) = others[user] {
      others[user] = try UserClassPath(of: user, kernel, configuration.probes)
      return true
    }
    return try others[user]??.evaluate(kernel, configuration.probes) ?? false
  }
}
