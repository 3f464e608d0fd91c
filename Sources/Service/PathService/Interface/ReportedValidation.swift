internal import PathDecisions
internal import PathModel

/// A verdict as the validator reports it, within bounds: others read it, and the validator has read text of strangers.
extension PathValidation {
  /// The most observations, and the most routers.
  static let reportLimit = 64
  /// The longest text of an observation, in bytes.
  private static let longestText = 1_024

  /// Whether it takes a verdict back. One without a state has observations that say why.
  var isWithdrawal: Bool { state == .unknown && evidence.isEmpty }

  /// Reads a verdict. The announced address and the time of the verdict are left out: only the service states them.
  ///
  /// - Throws: ``PathDecodingError`` with the key that is wrong or out of bounds.
  init(reported json: JSONValue) throws(PathDecodingError) {
    let read = try PathValidation(json: json)
    let evidence = read.evidence.prefix(Self.reportLimit).filter {
      ($0.source == .host || $0.source == .signIn) && $0.text.utf8.count <= Self.longestText
    }
    guard evidence.count == read.evidence.count else {
      let most = "at most \(Self.reportLimit) observations of the sources host and signIn"
      throw .notAllowed("evidence", allowed: ["\(most) with texts of at most \(Self.longestText) bytes"])
    }
    self.init(
      state: State.all.contains(read.state) ? read.state : .unknown, portal: read.portal, evidence: Array(evidence))
  }
}
