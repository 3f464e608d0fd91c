import History
import PathConfiguration
import ProcessTestSupport
import Testing

/// The administrator's files for the recorder.
@Suite struct HistorySettingsTests {
  private let directory: ScratchDirectory

  init() throws { directory = try ScratchDirectory() }

  @Test func `files without settings give the usual ones`() throws {
    try directory.write("history.conf", "# nothing\n[History]\n")
    let settings = HistorySettings(reading: directory("history.conf"))
    #expect(settings.configuration == HistoryConfiguration())
    #expect(settings.problems == [])
  }

  @Test func `later files change the settings of earlier ones`() throws {
    try directory.write("history.conf", "[History]\nMaximumSize=64M\nKeepChanges=30d\n")
    try directory.write("history.conf.d/20.conf", "[History]\nKeepChanges=90d\n")
    try directory.write("history.conf.d/30.conf", "[History]\nMaximumSize=\nKeepHours=7d\n")
    let settings = HistorySettings(reading: directory("history.conf"))
    #expect(settings.problems == [])
    #expect(settings.configuration.maximumSize == HistoryConfiguration().maximumSize)
    #expect(settings.configuration.keptChanges == 90)
    #expect(settings.configuration.keptHours == 7)
    #expect(settings.files.count == 3)
  }

  @Test func `names of networks are recorded unless a file says no`() throws {
    #expect(HistoryConfiguration().recordsNetworkNames)
    try directory.write("history.conf", "[History]\nNetworkNames=no\n")
    #expect(!HistorySettings(reading: directory("history.conf")).configuration.recordsNetworkNames)
  }

  @Test(arguments: [
    ("KeepChanges=30d\n", "line 1: 'KeepChanges=' stands before any section; write [History] above it"),
    ("[Histori]\n", "line 1: there is no section '[Histori'; allowed: [History]"),
    (
      "[History]\nKeepChange=3d\n",
      "line 2: there is no key 'KeepChange' in [History]; did you mean 'KeepChanges'?"
    ),
    (
      "[History]\nKeepChanges=0d\n",
      "line 2: KeepChanges= cannot be '0d'; allowed: a number of days such as 400d, from 1d to 36500d"
    ),
    ("[History]\nKeepHours=1y\n", "line 2: KeepHours= cannot be '1y'"),
    ("[History]\nMaximumSize=99999999999999999999G\n", "line 2: MaximumSize= cannot be"),
    ("[History]\nNetworkNames=perhaps\n", "line 2: NetworkNames= cannot be 'perhaps'; allowed: yes or no"),
    ("[History]\nMaximumSize=1000\n", "allowed: a number of bytes with K, M or G, from 1M to 1024G"),
    ("[History]\nnonsense\n", "line 2: this is neither [History], Key=value, nor a comment"),
  ])
  func `a mistake is named with its line, and the file is not used`(text: String, message: String) throws {
    try directory.write("history.conf", text)
    let settings = HistorySettings(reading: directory("history.conf"))
    #expect(settings.configuration == HistoryConfiguration())
    #expect(settings.problems.count == 1)
    let problem = try #require(settings.problems.first)
    #expect(problem.hasPrefix(directory("history.conf")))
    #expect(problem.contains(message.split(separator: "; did").first.map(String.init) ?? message), "\(problem)")
  }

  @Test func `a directory that cannot be listed is a problem`() throws {
    try directory.write("history.conf", "")
    try directory.write("history.conf.d", "a file where a directory should be")
    #expect(
      HistorySettings(reading: directory("history.conf")).problems == [
        "cannot open \(directory("history.conf.d")): Not a directory. "
          + "No file in it is used; correct it, then restart pathmonitor-history.service."
      ])
  }

  @Test func `every mistake of a file is reported`() async throws {
    try directory.write("history.conf", "[History]\nKeepHours=x\nMaximumSize=y\n")
    let outcome = try await RunningProgram.run(
      [RunningRecorder.program, "record", "--check-config", "--config", directory("history.conf")])
    #expect(outcome.status == 1)
    #expect(outcome.complaints.split(separator: "\n").count == 2)
  }

  @Test func `the usual values of the table are those of the settings`() throws {
    for key in HistoryConfiguration.keys {
      var changed = HistoryConfiguration()
      try changed.apply("[History]\n\(key.name)=\(key.standard)\n")
      #expect(changed == HistoryConfiguration())
    }
  }
}
