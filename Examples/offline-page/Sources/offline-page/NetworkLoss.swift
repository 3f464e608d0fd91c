import ConnectivityCore
import ErrorHandling

/// There is no network, and there are ways to get it back.
struct NetworkLoss: CategorizedError, PresentableError {
  // Not `offline`, which offers "Try Again": the page follows the path by itself.
  var category: ErrorCategory { ErrorCategory("network lost") }
  // The page says above that it is offline, and why.
  var message: ErrorMessage { ErrorMessage("This may bring the network back:") }
}

/// A command of the operator has not done its work.
struct FailedOffer: CategorizedError, PresentableError {
  var title: String
  /// The exit status; `nil` if the command was not started.
  var status: Int32?

  var category: ErrorCategory { .nonRetryable }
  var message: ErrorMessage {
    ErrorMessage(
      "\"\(title)\" did not work.",
      reason: status.map { "The command ended with status \($0)." } ?? "The command cannot be started.",
      suggestion: "Tell the operator of this screen.")
  }
}

/// The attempts to get a lost network back.
struct NetworkRepair: Sendable {
  var monitor: PathMonitor
  var offers: [Offer]
  var presenter: any ErrorPresenter
  /// Runs a command line, and returns its exit status; `nil` if it cannot be started.
  var run: @Sendable (_ command: String) async -> Int32?
  /// The time for which a command may take effect.
  var patience = Duration.seconds(10)

  /// Presents the loss with the offers as options until there is a network, or the presentation is dismissed.
  func offerWaysOn() async {
    // The presenter shows every error, and one that is not shown any more when the program ends needs no log.
    let (log, recovery) = (ErrorLog { _ in }, { @Sendable (_: any Error) in options })
    await withErrorScope("network", presenter: presenter, log: log, recovery: recovery) {
      var patience = Duration.zero
      _ = await ErrorScope.current.attempt {
        defer { patience = self.patience }
        do {
          _ = try await monitor.waitUntil(.connected, timeout: patience)
        } catch is PathUnavailableError {
          throw NetworkLoss()
        }
      }
    }
  }

  private var options: [RecoveryOption] {
    offers.enumerated().map { number, offer in
      .custom(id: RecoveryOption.ID("offer-\(number + 1)"), title: offer.title) {
        let status = await run(offer.command)
        if status != 0 { throw FailedOffer(title: offer.title, status: status) }
      }
    } + [.cancel(title: "Not Now")]
  }
}
