// The tables of the objects inside a path.

extension Cost: FieldObject {
  package static let typeName = "Cost"
  package static let blank = unknown

  /// The table of the fields.
  package static let fields: [Field<Cost>] = [
    Field("isExpensive", \.isExpensive, { $0.isExpensive = $1 }, "As that of the path."),
    Field("isConstrained", \.isConstrained, { $0.isConstrained = $1 }, "As that of the path."),
    Field(
      "confidence", \.confidence, { $0.confidence = $1 }, absent: .unknown,
      """
      The confidence of the evidence that decided: user, explicit, certain, likely, guess or unknown, see \
      pathmonitor.conf(5).
      """),
    Field(
      "evidence", \.evidence, { $0.evidence = $1 },
      "All evidence, the strongest first, as objects; see below."),
  ]
}

extension Evidence: FieldObject {
  package static let typeName = "Evidence"
  package static let blank = Evidence(
    source: Source(rawValue: ""), verdict: Verdict(rawValue: ""), confidence: .unknown, text: "")

  /// The table of the fields.
  package static let fields: [Field<Evidence>] = [
    Field(
      "source", \.source, { $0.source = $1 },
      "The origin: override, configuration, program, networkManager, interfaceType, driver, lease or gatewayAddress."),
    Field(
      "verdict", \.verdict, { $0.verdict = $1 },
      "The statement: expensive, notExpensive, undetermined, constrained or notConstrained."),
    Field("confidence", \.confidence, { $0.confidence = $1 }, "As that of the cost."),
    Field("text", \.text, { $0.text = $1 }, absent: "", "The evidence in words."),
  ]
}

extension Diagnosis: FieldObject {
  package static let typeName = "Diagnosis"
  package static let blank = Diagnosis(code: Code(rawValue: ""), sentence: "")

  /// The table of the fields.
  package static let fields: [Field<Diagnosis>] = [
    Field("code", \.code, { $0.code = $1 }, "The name of the cause, such as noCarrier."),
    Field(
      "subject", \.subject, { $0.subject = $1 },
      "The interface, router, table, policy rule or file that decides, or null."),
    Field("sentence", \.sentence, { $0.sentence = $1 }, "The cause in words, without a full stop."),
    Field(
      "circumstances", \.circumstances, { $0.circumstances = $1 },
      "Facts beside the cause that change the next step, such as isPair; mostly none."),
  ]
}

// In any encoder, all of these have the form of JSON.
extension Cost: Encodable {
  /// Encodes all fields.
  public func encode(to encoder: any Encoder) throws { try encodeFields(to: encoder) }
}

extension Evidence: Encodable {
  /// Encodes all fields.
  public func encode(to encoder: any Encoder) throws { try encodeFields(to: encoder) }
}

extension Diagnosis: Encodable {
  /// Encodes all fields, and `nil` as null.
  public func encode(to encoder: any Encoder) throws { try encodeFields(to: encoder) }
}

// Each of these is encoded as one string.
extension NetworkPath.Status: Encodable {}
extension NetworkPath.Knowledge: Encodable {}
extension UnsatisfiedReason: Encodable {}
extension InterfaceType: Encodable {}
extension Evidence.Source: Encodable {}
extension Evidence.Verdict: Encodable {}
extension Evidence.Confidence: Encodable {}

extension IPAddress: Encodable {
  /// Encodes the text of the address.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

extension NetworkInterface.Address: Encodable {
  /// Encodes the text of the address with its prefix length.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
