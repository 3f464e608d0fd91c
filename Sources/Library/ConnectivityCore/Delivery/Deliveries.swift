internal import SystemIO

/// The receivers that have been left a path and have to be woken: collected under locks, performed under none.
package struct Deliveries: Sendable {
  private var receivers: [any PathReceiver] = []

  package init() {}

  mutating func add(_ receiver: any PathReceiver) { receivers.append(receiver) }

  mutating func add(_ others: Deliveries) { receivers += others.receivers }

  /// Wakes the receivers.
  package consuming func perform() {
    ForeignCode.run { for receiver in receivers { receiver.wake() } }
  }
}
