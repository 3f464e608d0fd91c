package import KernelPath
package import PathDecisions
package import PathModel
internal import SystemIO

/// Reads the path of each class of users from the kernel, and keeps the latest ones. A reader alone serves programs
/// that need one answer; ``PathEngine`` makes a stream of its answers.
package final class PathReader {
  /// The probes, the rules and the sources of a reader.
  package struct Configuration: Sendable {
    /// The destinations that stand for the Internet.
    package var probes = ProbeAddresses.standard
    /// The administrator's rules for interfaces.
    package var rules = InterfaceRules()
    /// The size that is requested for the event socket's receive buffer, in bytes.
    package var receiveBuffer: Int32 = 2 << 20
    /// The locations of sysfs, the resolver configuration and the leases.
    package var paths = KernelFilePaths()

    /// Creates the default configuration.
    package init() {}
  }

  let configuration: Configuration
  let kernel: Kernel
  let own: UserClassPath
  /// The paths of the other classes that are followed, by representative; `nil` for one that could not be evaluated
  /// yet.
  var others: [UInt32: UserClassPath?] = [:]
  /// The classes into which the policy rules divide the users, and the ranges that they follow from.
  private(set) var classes = UserClasses(ranges: [])
  private var userRanges: [ClosedRange<UInt32>] = []
  /// Whether a place of the resolver configuration or of the leases is not watched, for example because the system has
  /// no watches left.
  var lacksWatches: Bool { kernel.lacksFileReports }

  /// The administrator's overrides.
  package var overrides = OverrideTable()
  /// The error of the latest question that failed; `nil` after an evaluation that succeeded.
  package internal(set) var failure: KernelPathError?
  /// The number of evaluations, with those that the kernel only confirmed.
  package internal(set) var evaluations = 1

  /// Evaluates for the first time.
  ///
  /// - Parameter isFollowing: Whether to listen for changes. Otherwise the reader keeps the state of its start.
  /// - Throws: ``KernelPathError`` when the kernel cannot be asked at all.
  package init(_ configuration: Configuration = Configuration(), isFollowing: Bool) throws(KernelPathError) {
    self.configuration = configuration
    kernel = try Kernel(
      probes: configuration.probes, receiveBuffer: isFollowing ? configuration.receiveBuffer : nil,
      paths: configuration.paths, rules: configuration.rules)
    own = try UserClassPath(of: nil, kernel, configuration.probes)
  }

  /// Continues where another reader ends: with its overrides, its metered states and its count of evaluations.
  func takeOver(from predecessor: PathReader) {
    kernel.apply(.succession(of: predecessor.kernel.situation.networks))
    overrides = predecessor.overrides
    evaluations += predecessor.evaluations
  }

  /// The latest evaluation of our own path, without overrides.
  package var evaluation: PathEvaluation { own.evaluation }

  /// The links over which the traffic last left; see ``PathDecisions/PathEvaluation/carriers``.
  package var formerCarriers: [Int32] { own.formerCarriers }

  /// The latest path with its overrides: our own, or that of a class of users that is followed.
  package func path(of user: UInt32? = nil) -> NetworkPath {
    guard let found = classPath(of: user) else { return .unknown }
    let path = overrides.applied(to: found.path)
    guard path.unsatisfiedReason == .overridden else { return path }
    return path.caused(by: kernel.cause(of: found.evaluation, path: path, overrides: overrides))
  }

  /// The path of the class; `nil` when it is not followed or could not be evaluated.
  func classPath(of representative: UInt32?) -> UserClassPath? {
    guard let representative else { return own }
    return others[representative] ?? nil
  }

  /// The refusals of the kernel and the system, and the latest failure, in words.
  package var notes: [String] {
    kernel.notes + [failure?.description].compactMap(\.self)
  }

  /// All interfaces but loopback, by index, as the latest evaluation found them.
  package func interfaces() -> [ListedInterface] {
    var view = kernel
    return ListedInterface.all(&view, own.evaluation, overrides)
  }

  /// Whether an interface has the name.
  package func hasInterface(named name: String) -> Bool {
    kernel.state.interfaces.contains { $0.link.exactName == name.exact }
  }

  /// Evaluates the path to one destination.
  ///
  /// If the kernel cannot be asked, the result is `nil`, and ``failure`` gives the reason.
  func evaluation(to destination: IPAddress, of user: UInt32?) -> PathEvaluation? {
    var kernel = kernel
    do throws(KernelPathError) {
      let probes = ProbeAddresses([destination])
      let evaluation = try PathEvaluator.evaluate(
        &kernel, probes: probes, user: user, countsLocal: true, formerCarriers: formerCarriers)
      // The links below this path may differ from those below the path to the Internet.
      guard try kernel.readAgain(CarrierWalk(kernel.state, evaluation.ways).readingOrder(of: evaluation.links)) else {
        return evaluation
      }
      return try PathEvaluator.evaluate(
        &kernel, probes: probes, user: user, countsLocal: true, formerCarriers: formerCarriers)
    } catch {
      failure = error
      return nil
    }
  }

  // MARK: Users

  /// The representative of the user's class; `nil` when our own path is also the user's.
  ///
  /// If the rules cannot be read, the earlier classes apply, at first one class of all users, and ``failure`` gives the
  /// reason.
  func representative(of user: UInt32?) -> UInt32? {
    guard let user else { return nil }
    updateClasses()
    return knownRepresentative(of: user)
  }

  /// The representative of the user's class by the rules as they were last read, so that thousands of users cost no
  /// more than one reading; `nil` when our own path is also the user's.
  func knownRepresentative(of user: UInt32?) -> UInt32? {
    guard let user else { return nil }
    let representative = classes.representative(of: user)
    return representative == classes.representative(of: ProcessIdentity.user) ? nil : representative
  }

  /// Makes the classes anew if the rules name other ranges of users.
  func updateClasses() {
    do throws(KernelPathError) {
      let ranges = try kernel.rules().userRanges
      if ranges == userRanges { return }
      (userRanges, classes) = (ranges, UserClasses(ranges: ranges))
    } catch {
      failure = error
    }
  }

  /// The number of classes of users that are followed beside our own.
  var followedClasses: Int { others.count }

  /// Adds a class of users to each evaluation from now on.
  func follow(_ representative: UInt32) {
    guard others[representative] == nil else { return }
    do throws(KernelPathError) {
      others[representative] = try UserClassPath(of: representative, kernel, configuration.probes)
    } catch {
      others.updateValue(nil, forKey: representative)
      failure = error
    }
  }

  /// Removes the classes without subscribers from further evaluations.
  func followOnly(_ representatives: Set<UInt32>) {
    for user in others.keys where !representatives.contains(user) { others[user] = nil }
  }

  // MARK: Following

  /// Reads the links of the latest paths again, because their messages may be late.
  func readLinksAgain() {
    var indices: [Int32] = []
    for evaluation in ([own] + others.values.compactMap(\.self)).map(\.evaluation) {
      let order = CarrierWalk(kernel.state, evaluation.ways).readingOrder(of: evaluation.links)
      for index in order where !indices.contains(index) { indices.append(index) }
    }
    do throws(KernelPathError) {
      _ = try kernel.readAgain(indices)
    } catch {
      failure = error
    }
  }

  /// The routers by which the kernel chooses the routes of the latest paths.
  var routers: RouterWatch {
    var routers = own.evaluation.routers
    for other in others.values.compactMap(\.self) { routers.formUnion(other.evaluation.routers) }
    kernel.situation.networks.routers.wait(for: neighbours, in: &routers)
    return routers
  }

  /// The routers of the next hops that carry the traffic of the latest paths.
  var neighbours: [RoutingFacts.Neighbour] {
    own.evaluation.neighbours + others.values.flatMap { $0?.evaluation.neighbours ?? [] }
  }

  /// The time after which the first of the paths may change without an event; `nil` when none may.
  var reevaluateAfter: Duration? {
    others.values.reduce(own.evaluation.reevaluateAfter) { soonest, other in
      guard let after = other?.evaluation.reevaluateAfter else { return soonest }
      return min(soonest ?? after, after)
    }
  }
}
