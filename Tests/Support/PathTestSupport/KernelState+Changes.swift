package import PathDecisions

extension KernelState {
  /// Adds the address or replaces its facts.
  package mutating func update(_ address: AddressFacts) {
    var changes = AddressChanges()
    changes.update(address)
    merge(changes)
  }

  /// Removes the address.
  package mutating func remove(_ address: AddressFacts) {
    var changes = AddressChanges()
    changes.remove(address)
    merge(changes)
  }
}
