internal import CommandLineOptions

/// The one table of verbs and options: parsing, help and messages come from it.
package struct Verb: Sendable {
  /// What is typed.
  package var name: String
  /// The operands in the usage line, such as `HOST`; empty when it takes none.
  package var operands: [String]
  /// The command that it takes behind everything else, as in the usage line; most take none.
  package var command: [String]
  /// What it does, in one line.
  package var summary: String
  /// What else there is to know.
  package var details: String

  /// The options it takes, in the order of the help.
  package var options: [Option]

  private init(
    name: String, operands: [String] = [], command: [String] = [], summary: String, details: String,
    options: [Option] = Option.forQuestions
  ) {
    self.name = name
    self.operands = operands
    self.command = command
    self.summary = summary
    self.details = details
    self.options = options + Option.everywhere
  }

  /// Whether a requirement is among its operands.
  package var takesRequirement: Bool { operands.contains("REQUIREMENT") }

  /// The verb with the name.
  package static func named(_ name: String) -> Verb? { all.first { $0.name == name } }

  /// Shows the path; what `pathctl` alone does.
  package static let status = Verb(
    name: "status", summary: "Show the network path as it is now (default)",
    details: """
      Exit status 0: there is a path; 1: there is none; 69: it cannot be known.
      A path means that the kernel has a usable route now, not that the Internet answers.
      """)
  /// Follows the path.
  package static let watch = Verb(
    name: "watch", summary: "Show the path now and whenever it changes",
    details: """
      On a terminal the picture is redrawn in place. Otherwise each update is a line.
      A change is shown when it has settled: after 50 ms for a gain, 200 ms for a loss, 1 s at most.
      With --exec nothing is shown, unless --json is given; instead COMMAND is run with /bin/sh for the path
      as it is and for each update, one at a time: what comes meanwhile is one update, the newest. It reads
      from /dev/null and finds the path in its environment:
        PATH_STATUS, PATH_KNOWLEDGE, PATH_REASON, PATH_INTERFACE, PATH_TYPE  words, or empty
        PATH_EXPENSIVE, PATH_CONSTRAINED, PATH_TUNNEL, PATH_IPV4, PATH_IPV6, PATH_DNS  true or false
        PATH_CHANGED  the names of what has changed, with spaces; empty for the first
        PATH_JSON  all of it, as --json prints it
      A signal is passed on to COMMAND, and pathctl ends when it has ended.
      """, options: Option.forQuestions + [.hook])
  /// Waits for a path.
  package static let wait = Verb(
    name: "wait", operands: ["REQUIREMENT"], summary: "Wait until the path is as required",
    details: """
      Exit status 0: the path is as required; 124: the time is over; 69: it cannot be known.
      """, options: [.timeout] + Option.forRequirements)
  /// Runs a command while the path is as required.
  package static let run = Verb(
    name: "run", operands: ["REQUIREMENT"], command: ["--", "COMMAND", "[ARGUMENT...]"],
    summary: "Run a command while the path is as required",
    details: """
      Waits until the path is as required, and starts the command. When the path is lost and that has
      settled, --on-loss says what happens to the command and all that it has started:
        stop      it is ended with SIGTERM, and after the grace time with SIGKILL; it is started again when
                  the path is back
        pause     it is stopped where it is with SIGSTOP, and continued when the path is back
        continue  nothing
      A path that cannot be known for a while, as when the service restarts, is not lost.
      SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1 and SIGUSR2 are passed on; after the first four the command
      is not started again. What it leaves behind in its process group is ended as it would be itself.
      SIGKILL cannot be passed on: the command runs on alone, but the kernel ends a paused one with SIGHUP.
      Exit status: that of the command, or 128 and the number of the signal that ended it, or pathctl while
      it waited; 126: the command cannot be run; 127: there is none; 64: wrong usage; 69: the path cannot
      be known.
      """, options: Option.forCommands)
  /// Tells whether the path is as required.
  package static let check = Verb(
    name: "check", operands: ["REQUIREMENT"], summary: "Tell by the exit status whether the path is as required",
    details: """
      Exit status 0: yes; 1: no; 69: it cannot be known. With --condition, for ExecCondition= in units,
      0 and 1 mean the same, and everything else is 255: a mistake fails the unit instead of skipping it.
      """, options: [.condition] + Option.forRequirements)
  /// Tells how the verdict came about.
  package static let explain = Verb(
    name: "explain", summary: "Show how the verdict came about, lookup by lookup",
    details: "Put this into a bug report. Exit status as for status.")
  /// Lists the interfaces.
  package static let interfaces = Verb(
    name: "interfaces", summary: "List the interfaces with their types, addresses and use",
    details: "Exit status 0 unless they cannot be read (69).")
  /// Shows the path to one host.
  package static let route = Verb(
    name: "route", operands: ["HOST"], summary: "Show the path to a host name or address",
    details: """
      No packet is sent to the host; a name is looked up with the system's name servers.
      Exit status as for status.
      """)
  /// Changes what is overridden.
  package static let override = Verb(
    name: "override", operands: ["set|clear|list", "[FIELD]", "[VALUE]"],
    summary: "Put your word in place of what is found out",
    details: """
      FIELD and VALUE: isExpensive true|false, isConstrained true|false, status unsatisfied.
      'set' needs both; 'clear' takes back all, those of a FIELD, or those of an --interface.
      Only root and members of the group 'pathmonitor' may set and clear. Overrides end at reboot.
      """, options: [.interface, .duration, .why] + Option.forService)
  /// Shows how the service is doing.
  package static let health = Verb(
    name: "health", summary: "Show how the service is doing",
    details: "Exit status 0 unless the service does not answer (69).", options: Option.forService)
  /// Starts and stops targets with the path.
  package static let targets = Verb(
    name: "targets", summary: "Have systemd's targets follow the path",
    details: """
      path-online.target is active while the path is connected, path-unmetered.target while it is
      unmetered: units that are bound to them come and go with the path. The first path that is known
      brings both in line at once. From then on they follow what has lasted: a link that flaps moves
      nothing, and neither does a path that cannot be known for a while, as when the service restarts.
      This is what pathmonitor-targets.service runs. A systemctl that fails is told and run again.
      It ends with a signal, and leaves the targets as they are then.
      """, options: Option.forTargets)
  /// Shows the configuration.
  package static let configuration = Verb(
    name: "config", summary: "Show the configuration and where it comes from",
    details: """
      The configuration is read from files, as the service reads them when it starts or reloads:
        /etc/pathmonitor/pathmonitord.conf and /etc/pathmonitor/pathmonitord.conf.d/*.conf,
        likewise below /run/pathmonitor-config and /usr/lib/pathmonitor.
      Of files with the same name only the first of these counts; all others are read by name.
      Exit status 0: all files are correct; 1: some are not, and are left out.
      """, options: Option.forConfiguration)
  /// Shows help.
  package static let help = Verb(
    name: "help", operands: ["[VERB]"], summary: "Show this help, or that of a verb", details: "", options: [])

  /// All verbs, in the order of the help.
  package static let all = [
    status, watch, wait, run, check, explain, interfaces, route, override, health, configuration, targets, help,
  ]
}

/// Verbs are told apart by their names.
extension Verb: Hashable {
  /// Whether two verbs have the same name.
  package static func == (one: Verb, other: Verb) -> Bool { one.name == other.name }

  /// Feeds the name to a hasher.
  package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
