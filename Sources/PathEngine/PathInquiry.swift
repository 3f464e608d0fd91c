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
    /// How many bytes of messages the kernel may hold for us.
    package var receiveBuffer: Int32 = 2 << 20
    /// Where sysfs and the resolver configuration are.
    package var paths = KernelFilePaths()

    /// The usual configuration.
    package init() {}
  }

  let configuration: Configuration
  private(set) var kernel: Kernel
  private var memory = EvaluationMemory()

  /// The latest evaluation; its path says how far it can be trusted.
  package private(set) var evaluation: PathEvaluation
  /// What went wrong with the latest attempt to ask; `nil` when nothing did.
  package private(set) var failure: KernelPathError?

  /// Asks for the first time.
  ///
  /// - Parameter isFollowing: Whether changes are listened for. Without, everything is as it was at the start.
  /// - Throws: ``KernelPathError`` when the kernel cannot be asked at all.
  package init(_ configuration: Configuration = Configuration(), isFollowing: Bool) throws(KernelPathError) {
    self.configuration = configuration
    kernel = try Kernel(
      probes: configuration.probes, receiveBuffer: isFollowing ? configuration.receiveBuffer : nil,
      paths: configuration.paths)
    evaluation = try PathEvaluator.evaluate(&kernel, probes: configuration.probes)
    evaluation.path.boottimeMicroseconds = boottimeMicroseconds()
  }

  /// How the latest evaluation came about, line by line.
  package func explanation() -> [String] {
    var notes = kernel.notes
    if let failure { notes.append(failure.description) }
    return PathExplanation.steps(evaluation, state: kernel.state, resolver: kernel.resolver, notes: notes)
  }

  /// All interfaces but loopback, by index, as the latest evaluation found them.
  package func interfaces() -> [ListedInterface] {
    ListedInterface.all(&kernel, evaluation)
  }

  /// The path to a host with these addresses. One address of each family is enough.
  ///
  /// When the kernel cannot be asked it is ``NetworkPath/unknown``, and ``failure`` says why.
  package func path(to destinations: [IPAddress]) -> NetworkPath {
    kernel.askAnew()
    do throws(KernelPathError) {
      let probes = ProbeAddresses(destinations)
      var path = try PathEvaluator.evaluate(&kernel, probes: probes, countsLocal: true).path
      path.boottimeMicroseconds = boottimeMicroseconds()
      return path
    } catch {
      failure = error
      return .unknown
    }
  }

  /// Takes in what the kernel has said since the last call; `nil` when it could not be heard.
  func drain() -> Kernel.Harvest? {
    do throws(KernelPathError) {
      return try kernel.drain()
    } catch {
      failure = error
      return nil
    }
  }

  /// Evaluates again by what has been heard; `anew` asks also for what no message has touched.
  func evaluate(anew: Bool) {
    if anew { kernel.askAnew() }
    evaluation = attempt { () throws(KernelPathError) in
      try kernel.bringUpToDate()
      if let known = try memory.recall(&kernel) { return known }
      let fresh = try PathEvaluator.evaluate(&kernel, probes: configuration.probes)
      memory.remember(fresh)
      return fresh
    }
  }

  /// A new evaluation, or the latest one marked as stale when the kernel cannot be asked.
  private func attempt(_ evaluate: () throws(KernelPathError) -> PathEvaluation) -> PathEvaluation {
    do throws(KernelPathError) {
      var fresh = try evaluate()
      fresh.path.boottimeMicroseconds = boottimeMicroseconds()
      failure = nil
      return fresh
    } catch {
      failure = error
      var stale = evaluation
      stale.path.knowledge = .stale
      return stale
    }
  }
}
