internal import KernelPath
package import PathDecisions
package import PathModel
internal import SystemIO

/// News from the resolver configuration, the leases and network managers.
extension PathEngine {
  func watchFiles() throws(SystemError) {
    if let resolver = reader.kernel.resolverDescriptor {
      try loop.watch(resolver) { [unowned self] _ in self.filesChanged(self.reader.kernel.updateResolverIfChanged()) }
    }
    if let leases = reader.kernel.leaseDescriptor {
      try loop.watch(leases) { [unowned self] _ in self.filesChanged(self.reader.kernel.updateLeasesIfChanged()) }
    }
  }

  func unwatchFiles() {
    let kernel = reader.kernel
    for descriptor in [kernel.resolverDescriptor, kernel.leaseDescriptor] {
      if let descriptor { loop.unwatch(descriptor) }
    }
  }

  /// Evaluates if files that have been read are news.
  private func filesChanged(_ isNews: Bool) {
    // A reading without news may have failed, or lost a watch.
    scheduleLooks(at: .now)
    if isNews { otherNewsArrived() }
  }

  /// Reads the files of which the system announces no changes, because it has no watches left.
  func readFiles() {
    reader.kernel.updateResolver()
    reader.kernel.updateLeases()
  }

  /// Reads files again that could not be read.
  func retryFiles() {
    schedule.fileRetryStarted()
    reader.kernel.retryFiles()
    otherNewsArrived()
    scheduleLooks(at: .now)
  }

  /// Replaces what a network manager reports of its devices, and evaluates if that has changed.
  ///
  /// - Parameters:
  ///   - states: The metered states, by interface name.
  ///   - connectivity: The verdicts on whether the Internet answers, by interface name.
  package func setMetered(
    _ states: [ExactText: MeteredState], connectivity: [ExactText: DeviceConnectivity] = [:]
  ) {
    if reader.kernel.apply(.networkManager(states, connectivity)) { otherNewsArrived() }
  }

  /// The facts about networks that the latest evaluation rests on.
  package var networkFacts: NetworkFactsTable { reader.kernel.situation.networks }

  /// Applies the validator's report; `nil` for none.
  package func setReport(_ report: ValidationReport?) {
    if reader.kernel.apply(.report(report)) { otherNewsArrived() }
  }
}
