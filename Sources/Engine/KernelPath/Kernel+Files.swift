internal import PathDecisions
internal import SystemIO

/// The files beside the kernel: the resolver configuration, DHCP leases and sysfs.
extension Kernel {
  /// Reads the resolver configuration again, whether or not a change is known.
  package func updateResolver() {
    resolverConfiguration.update()
    apply(.resolver(resolverConfiguration.facts))
  }

  /// Reads the resolver configuration again if its descriptor is readable, or if nothing reports its changes.
  ///
  /// - Returns: Whether there was a change. A reported one may have left the contents the same.
  package func updateResolverIfChanged() -> Bool {
    guard resolverConfiguration.updateIfChanged() else { return false }
    apply(.resolver(resolverConfiguration.facts))
    return true
  }

  /// Reads the DHCP leases again, whether or not a change is known.
  ///
  /// - Returns: Whether any fact from the leases has changed.
  @discardableResult
  package func updateLeases() -> Bool {
    leases.update()
    return apply(.leases(leases.byIndex, leases.byName, leases.unread))
  }

  /// Reads the DHCP leases again if their descriptor is readable, or if nothing reports their changes.
  ///
  /// - Returns: Whether any fact from the leases has changed.
  package func updateLeasesIfChanged() -> Bool { leases.mayHaveChanged() && updateLeases() }

  /// Whether changes of the resolver configuration or the leases are not all reported, so that both have to be updated
  /// now and then.
  package var lacksFileReports: Bool { resolverConfiguration.lacksReports || leases.lacksReports }

  /// Whether the latest reading of a file failed. The file may become readable without a change, so ``retryFiles()``
  /// has to be called now and then.
  package var hasUnreadFiles: Bool { resolverConfiguration.hasFailed || leases.hasFailed || devices.hasFailed }

  /// Reads the files again whose latest reading failed.
  package func retryFiles() {
    if devices.hasFailed {
      devices.forgetFailures()
      hasLinkNews = true
      // At once: the pause before the next retry depends on whether it fails again.
      try? bringUpToDate()
    }
    if resolverConfiguration.hasFailed { updateResolver() }
    if leases.hasFailed { updateLeases() }
  }
}
