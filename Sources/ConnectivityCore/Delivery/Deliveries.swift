internal import SystemIO

/// The receivers that have been left a path and have to be woken: collected under locks, performed under none.
package struct Deliveries: Sendable {
  /// The runs of handlers whose call is due.
  private(set) var runs: [HandlerRun] = []
  private var receivers: [any PathReceiver] = []

  package init() {}

  package var isEmpty: Bool { runs.isEmpty && receivers.isEmpty }

  mutating func add(_ run: HandlerRun) { runs.append(run) }

  mutating func add(_ receiver: any PathReceiver) { receivers.append(receiver) }

  mutating func add(_ others: Deliveries) {
    runs += others.runs
    receivers += others.receivers
  }

  /// Wakes the receivers, and hands the calls of handlers to their queues.
  package consuming func perform() {
    wakeReceivers()
    for run in runs { run.schedule() }
  }

  /// Wakes the receivers alone, for a thread that makes a call of a handler by itself.
  func wakeReceivers() {
    ForeignCode.run { for receiver in receivers { receiver.wake() } }
  }
}
