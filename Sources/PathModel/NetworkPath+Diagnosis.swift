extension NetworkPath {
  /// The cause of the path's state as far as the path itself shows it; `nil` while the path is not known.
  ///
  /// A path names the reason and the interfaces that are usable, but not the link, rule or route that is at fault: its
  /// evaluation has these. `pathctl explain` and the method `Explain` of the service give the whole diagnosis. The
  /// sentence is meant for people in any program.
  public var diagnosis: Diagnosis? {
    guard knowledge != .unknown else { return nil }
    switch status {
    case .satisfied: return Diagnosis(code: .connected, subject: interfaces.first?.name, sentence: description)
    case .requiresConnection: return nil
    case .unsatisfied:
      let reason = unsatisfiedReason ?? .noRoute
      return Diagnosis(code: Diagnosis.Code(reason), sentence: reason.words.inOneLine)
    }
  }
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
