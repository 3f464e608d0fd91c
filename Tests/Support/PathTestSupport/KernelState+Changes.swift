package import PathDecisions

extension KernelState {
  package mutating func update(_ address: AddressFacts) {
    var changes = AddressChanges()
    changes.update(address)
    merge(changes)
  }

  package mutating func remove(_ address: AddressFacts) {
    var changes = AddressChanges()
    changes.remove(address)
    merge(changes)
  }
}
