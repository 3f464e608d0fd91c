internal import KernelPath
package import PathDecisions
package import PathModel
internal import SystemIO

/// News from the resolver configuration, the leases and network managers.
extension PathEngine {
  func watchFiles() throws(SystemError) {
    if let resolver = inquiry.kernel.resolverDescriptor {
      try loop.watch(resolver) { [unowned self] _ in self.filesChanged(self.inquiry.kernel.updateResolverIfChanged()) }
    }
    if let leases = inquiry.kernel.leaseDescriptor {
      try loop.watch(leases) { [unowned self] _ in self.filesChanged(self.inquiry.kernel.updateLeasesIfChanged()) }
    }
  }

  func unwatchFiles() {
    let kernel = inquiry.kernel
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
    inquiry.kernel.updateResolver()
    inquiry.kernel.updateLeases()
  }

  /// Schedules another reading of files that could not be read.
  func scheduleFileRetry(at now: MonotonicInstant) {
    schedule.filesRead(hasUnread: inquiry.kernel.hasUnreadFiles, at: now)
    fileTimer?.set(schedule.fileRetryDue)
  }

  /// Reads files again that could not be read.
  func retryFiles() {
    schedule.fileRetryStarted()
    inquiry.kernel.retryFiles()
    otherNewsArrived()
    scheduleFileRetry(at: .now)
  }

  /// Replaces the metered states that a network manager reports, by interface name, and evaluates if they have changed.
  package func setMetered(_ states: [ExactText: MeteredState]) {
    guard states != inquiry.kernel.networkFacts.meteredByName else { return }
    inquiry.kernel.networkFacts.meteredByName = states
    otherNewsArrived()
  }
}
