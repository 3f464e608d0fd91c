internal import Glibc
package import KernelPath
package import PathModel
package import Programs
internal import SystemIO

/// `pathctl run`: runs a command while the path is as required.
package struct RunVerb: Verb {
  package static let name = "run"
  package static let operands = [Placeholder.requirement]
  package static let takesCommand = true
  package static let summary = "Run a command while the path is as required"
  package static var ownOptions: [Option<RunVerb>] {
    [.timeout { $0.timeout = $1 }, lossReaction, changeReaction, changesOfInterest, graceTime, .quiet]
      + Option.forPrograms
  }
  package static let details = """
    Waits until the path is as required, and starts the command. When the path is lost and that has
    settled, --on-loss says what happens to the command and all that it has started:
      stop      it is ended with SIGTERM, and after the grace time with SIGKILL; it is started again
                when the path is back
      pause     it is stopped where it is with SIGSTOP, and continued when the path is back
      continue  nothing
    A path that is as required again can lead another way than the one with which the command was
    started: over another network, after which its connections hang. Then --on-change says what happens,
    once per change that has settled:
      restart      it is ended as by stop, and started again at once
      signal:NAME  its process group gets the signal: HUP, INT, QUIT, TERM, USR1 or USR2
      ignore       nothing; this is the default
    --on-change-of says which changes count, with commas between them:
      source     the source address of sockets that are not bound to one; this is the default. A family
                 that comes is no change, nor is a younger IPv6 address beside the former one, unless the
                 network has given up the prefix of that
      interface  the interface that carries the traffic
      gateway    its routers
      addresses  its addresses: one has come or gone
      better     the path was metered since the start of the command, and is not any more
    A path that returns to the same way is no change, nor is a lease that is renewed. A family that is
    missing counts as gone after 10 seconds without it. Between two restarts or signals because of
    changes are 1, 2, 4 and so on up to 60 seconds, until there is no change for a further minute.
    With --timeout, pathctl gives up with 124 if the path has not become as required in that time; once
    the command has been started, there is no limit. On a terminal a line says what is waited for.
    A path that cannot be known for a while, as when the service restarts, is not lost.
    SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1 and SIGUSR2 are passed on; after the first four the
    command is not started again. After SIGTERM it has the grace time to end, too. What it leaves
    behind, in the background or as a daemon, is ended as it would be itself. SIGKILL cannot be passed
    on: the command runs on alone, but the kernel ends a paused one with SIGHUP.
    The exit status is that of the command, or 128 and the number of the signal that ended it, or
    pathctl while it waited. In a unit of systemd, SuccessExitStatus=143 says that its stop is no
    failure, and NotifyAccess=all lets the command report to systemd.
    """
  package static let exits: [(status: Int32, meaning: String)] = [
    (ExitStatus.cannotRun, "the command cannot be run"), (ExitStatus.noSuchCommand, "there is none"),
    (ExitStatus.usage, "wrong usage"), (ExitStatus.cannotKnow, "the path cannot be known"),
    (ExitStatus.timedOut, "the time is over, and the command was never started"),
  ]
  package static let examples = [
    (
      purpose: "Synchronise while that costs nothing; stop the transfer where it is when the path is lost",
      lines: "pathctl run unmetered --on-loss pause -- rclone sync photos: backup:"
    ),
    (
      purpose: "Keep a tunnel of ssh in every network",
      lines: "pathctl run connected --on-change restart -- ssh -N -D 1080 relay"
    ),
  ]

  private static var lossReaction: Option<RunVerb> {
    Option(
      "--on-loss", Placeholder("ACTION", .words(LossReaction.allCases.map(\.rawValue))), example: "pause",
      summary: "What to do when the path is lost: stop (the default), pause, continue"
    ) { (verb, value) throws(UsageError) in
      guard let reaction = LossReaction(rawValue: value.text) else {
        throw value.rejected(as: "action", because: "it is stop, pause or continue")
      }
      verb.onLoss = reaction
    }
  }
  private static var changeReaction: Option<RunVerb> {
    Option(
      "--on-change", Placeholder("ACTION", .words(ChangeReaction.words)), example: "signal:HUP",
      summary: "At another way of the path: ignore (the default), restart, signal:NAME"
    ) { (verb, value) throws(UsageError) in
      guard let reaction = ChangeReaction(value.text) else {
        let words = ChangeReaction.words.joined(separator: ", ")
        throw value.rejected(as: "action", because: "it is one of \(words)")
      }
      verb.onChange = reaction
    }
  }
  private static var changesOfInterest: Option<RunVerb> {
    let words = PathChanges.all.map(\.word)
    return Option(
      "--on-change-of", Placeholder("CHANGE,...", .words(words)), example: "interface,gateway",
      summary: "What counts for --on-change: source (the default), interface and others"
    ) { (verb, value) throws(UsageError) in
      verb.changes = []
      for word in value.text.unicodeScalars.split(separator: ",", omittingEmptySubsequences: false).map(String.init) {
        guard let change = PathChanges.all.first(where: { $0.word == word })?.change else {
          throw value.rejected(
            as: "list of changes", because: "\(word.quotedInLine) is none of \(words.joined(separator: ", "))")
        }
        verb.changes.insert(change)
      }
      verb.hasChanges = true
    }
  }
  private static var graceTime: Option<RunVerb> {
    Option(
      "--grace", .time, example: "30s",
      summary: "How long the command may take to end before it is killed; 5s by default"
    ) { (verb, value) throws(UsageError) in verb.grace = try value.time() }
  }

  package var invocation = Invocation()
  /// The requirement that the path meets while the command runs.
  package private(set) var requirement = PathRequirement.connected
  /// The reaction to a lost path.
  package private(set) var onLoss = LossReaction.stop
  /// The reaction to a path that leads another way.
  package private(set) var onChange = ChangeReaction.ignore
  /// The changes that it reacts to.
  package private(set) var changes = PathChanges.source
  /// Whether the changes were named.
  private var hasChanges = false
  /// The time that the command may take to end before it is killed.
  package private(set) var grace = Duration.seconds(5)
  /// How long to wait for the path before the first start; `nil` for as long as it takes.
  package private(set) var timeout: Duration?
  /// The command and its arguments; never empty.
  package private(set) var words: [String] = []

  package init() {}

  package mutating func take(_ operands: [String], command: [String]) throws(UsageError) {
    guard let program = command.first else {
      throw UsageError("COMMAND is missing behind '--'. Correct use: \(Self.usageLine)")
    }
    if program.isEmpty { throw UsageError("the command is empty. Write its name, or its path, behind '--'.") }
    if hasChanges, onChange == .ignore {
      throw UsageError("--on-change-of has no meaning without --on-change. Add for example --on-change restart.")
    }
    requirement = try Self.requirement(operands[0])
    words = command
  }

  /// Runs the command; the exit status is that of the command.
  package func run() throws(KernelPathError) -> Int32 { try RunSession(self).run() }
}
