extension NetworkPath {
  /// The cause of the path's state as far as its other properties show it; `nil` while the path is not known.
  var generalDiagnosis: Diagnosis? {
    guard knowledge != .unknown else { return nil }
    switch status {
    case .satisfied: return Diagnosis(code: .connected, subject: interfaces.first?.name, sentence: description)
    case .requiresConnection: return nil
    case .unsatisfied:
      let reason = unsatisfiedReason ?? .noRoute
      return Diagnosis(code: Diagnosis.Code(reason), sentence: reason.words.inOneLine)
    }
  }

  /// The same path with its cause.
  package func caused(by cause: Diagnosis?) -> NetworkPath {
    if cause == knownDiagnosis { return self }
    var path = self
    path.diagnosis = cause
    return path
  }

  /// The reason why the path is not satisfied, in words without a full stop: the cause if it is named, else the general
  /// words for the reason.
  package var reasonInWords: String {
    (knownDiagnosis?.sentence ?? (unsatisfiedReason ?? .noRoute).words).inOneLine
  }

  /// The doubt about a satisfied path, such as `connected over eth0, but names cannot be looked up: …`; `nil` without
  /// one.
  package var doubtInWords: String? { status == .satisfied ? knownDiagnosis?.sentence.inOneLine : nil }
}

extension Diagnosis.Code {
  /// The cause that a reason stands for. A reason that is no cause, or not known here, keeps its name.
  public init(_ reason: UnsatisfiedReason) {
    switch reason {
    case .dormant: self = .waitsForAuthentication
    case .noRoute: self = .noDefaultRoute
    case .prohibited: self = .refusedByRoute
    default: self.init(rawValue: reason.rawValue)
    }
  }
}
