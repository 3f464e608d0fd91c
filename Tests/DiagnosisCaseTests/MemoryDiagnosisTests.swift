import PathDecisions
import PathModel
import PathTestSupport
import Testing

/// The same networks on the kernel in memory, as far as it has what their commands make.
@Suite("Diagnoses on the kernel in memory")
struct MemoryDiagnosisTests {
  /// The cases whose commands the kernel in memory has.
  private static let cases = DiagnosisCase.all.filter { diagnosisCase in
    diagnosisCase.isInMemoryOnly
      || (!diagnosisCase.isReal && diagnosisCase.configuration == nil && diagnosisCase.override == nil
        && (try? network(diagnosisCase)) != nil)
  }

  private static func network(_ diagnosisCase: DiagnosisCase) throws -> MemoryNetwork {
    var network = MemoryNetwork(isBare: diagnosisCase.isBare)
    for item in diagnosisCase.items { try network.perform(item) }
    let servers = diagnosisCase.resolver.split(separator: "\n").map { String($0.drop { $0 != " " }.dropFirst()) }
    network.kernel.resolver = servers.isEmpty ? .none("/etc/resolv.conf") : .servers(servers)
    return network
  }

  @Test func `half of the cases run in memory, too`() {
    #expect(Self.cases.count >= 120)
  }

  @Test(arguments: cases)
  func `the diagnosis names the culprit`(_ diagnosisCase: DiagnosisCase) throws {
    var network = try Self.network(diagnosisCase)
    let address = diagnosisCase.host ?? diagnosisCase.options.last
    let evaluation = try PathEvaluator.evaluate(
      &network.kernel, probes: address.map { ProbeAddresses([.literal($0)]) } ?? .standard,
      countsLocal: diagnosisCase.host != nil)
    let causes = network.diagnosis(of: evaluation, isToHost: diagnosisCase.host != nil).causes
    let first = try #require(causes.first)
    #expect(first.code.rawValue == diagnosisCase.expected["code"]?.stringValue)
    #expect(first.subject == diagnosisCase.expected["subject"]?.stringValue)
    if let sentence = diagnosisCase.expected["sentence"]?.stringValue { #expect(first.sentence == sentence) }
    if let circumstances = diagnosisCase.circumstances {
      #expect(first.circumstances.map(\.rawValue) == circumstances)
    }
    #expect(causes.dropFirst().map { "\($0.code.rawValue) \($0.subject ?? "")" } == diagnosisCase.further)
    if !diagnosisCase.furtherSentences.isEmpty {
      #expect(causes.dropFirst().map(\.sentence) == diagnosisCase.furtherSentences)
    }
  }
}
