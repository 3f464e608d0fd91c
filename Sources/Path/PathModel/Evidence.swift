/// One reason to believe that a path costs something, or that it does not.
///
/// Texts do not affect equality, so that a reworded text is never a change of the path.
public struct Evidence: Sendable {
  /// The origin of the evidence.
  public var source: Source
  /// The statement that it makes.
  public var verdict: Verdict
  /// How far it can be trusted.
  public var confidence: Confidence
  /// The evidence in words, for people.
  public var text: String

  /// A piece of evidence.
  public init(source: Source, verdict: Verdict, confidence: Confidence, text: String) {
    self.source = source
    self.verdict = verdict
    self.confidence = confidence
    self.text = text
  }

  /// A piece of evidence: the same without labels, for the sources.
  package init(_ source: Source, _ verdict: Verdict, _ confidence: Confidence, _ text: String) {
    self.init(source: source, verdict: verdict, confidence: confidence, text: text)
  }
}

extension Evidence: Hashable {
  /// Equality of all but the texts.
  public static func == (left: Evidence, right: Evidence) -> Bool {
    left.source == right.source && left.verdict == right.verdict && left.confidence == right.confidence
  }

  /// Hashes the properties that `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(source)
    hasher.combine(verdict)
    hasher.combine(confidence)
  }
}

extension Evidence {
  /// The origin of evidence. New origins may be added: treat an unknown one as "from somewhere".
  public struct Source: RawRepresentable, Hashable, Sendable {
    /// The name of the origin, as in JSON.
    public var rawValue: String

    /// An origin by name.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// An administrator's `pathctl override`.
    public static let override = Source(rawValue: "override")
    /// A rule file of the administrator.
    public static let configuration = Source(rawValue: "configuration")
    /// The program that asks, which saves data.
    public static let program = Source(rawValue: "program")
    /// NetworkManager.
    public static let networkManager = Source(rawValue: "networkManager")
    /// The type of the interface: mobile networks cost.
    public static let interfaceType = Source(rawValue: "interfaceType")
    /// The kernel driver of the interface, such as the one of a phone on a USB cable.
    public static let driver = Source(rawValue: "driver")
    /// The DHCP lease of the interface.
    public static let lease = Source(rawValue: "lease")
    /// The address of the router, such as the one of an iPhone's hotspot.
    public static let gatewayAddress = Source(rawValue: "gatewayAddress")
  }

  /// The statement of evidence. New statements may be added: treat an unknown one as silence.
  public struct Verdict: RawRepresentable, Hashable, Sendable {
    /// The word of the statement, as in JSON.
    public var rawValue: String

    /// A statement by its word.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// Traffic costs money or counts against a quota.
    public static let expensive = Verdict(rawValue: "expensive")
    /// Traffic costs nothing.
    public static let notExpensive = Verdict(rawValue: "notExpensive")
    /// The user asked programs to use little data.
    public static let constrained = Verdict(rawValue: "constrained")
    /// The user did not ask programs to use little data.
    public static let notConstrained = Verdict(rawValue: "notConstrained")
    /// Something exists that may say that traffic costs money, and it could not be read. Stronger evidence decides
    /// nevertheless; otherwise the cost is unknown.
    public static let undetermined = Verdict(rawValue: "undetermined")

    /// Whether it concerns money or quotas.
    package var concernsExpense: Bool { self == .expensive || self == .notExpensive }
    /// Whether it concerns the user's wish to save data.
    package var concernsConstraint: Bool { self == .constrained || self == .notConstrained }
    /// Whether it is a reason to use little data.
    package var isCostly: Bool { self == .expensive || self == .constrained }
  }

  /// The weight of evidence. Weights compare: a greater one is more trustworthy. New weights may be added: an unknown
  /// one is the least.
  public struct Confidence: RawRepresentable, Hashable, Sendable, Comparable {
    /// The name of the weight, as in JSON.
    public var rawValue: String

    /// A weight by name.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// An administrator or the user said so.
    public static let user = Confidence(rawValue: "user")
    /// It was set for this network, in a program that manages networks.
    public static let explicit = Confidence(rawValue: "explicit")
    /// The interface or the network itself says so.
    public static let certain = Confidence(rawValue: "certain")
    /// Hardly anything else looks like this.
    public static let likely = Confidence(rawValue: "likely")
    /// Somebody guessed.
    public static let guess = Confidence(rawValue: "guess")
    /// Nothing is known.
    public static let unknown = Confidence(rawValue: "unknown")

    private static let strongestFirst = [user, explicit, certain, likely, guess]

    /// Whether the left weight is less trustworthy than the right one. Of two weights that are equally trustworthy,
    /// such as all unknown ones, the one whose name sorts first is the lesser.
    public static func < (left: Confidence, right: Confidence) -> Bool {
      left.rank == right.rank ? left.rawValue < right.rawValue : left.rank > right.rank
    }

    /// The position among the known weights, 0 for the strongest. All unknown weights have the same rank.
    package var rank: Int { Self.strongestFirst.firstIndex(of: self) ?? Self.strongestFirst.count }
    /// Whether it is more than a guess.
    package var isKnown: Bool { self > .guess }
  }
}

// In texts for people, each of these appears as its name.
extension Evidence.Source: CustomStringConvertible {
  /// The name of the origin.
  public var description: String { rawValue }
}

extension Evidence.Verdict: CustomStringConvertible {
  /// The word of the statement.
  public var description: String { rawValue }
}

extension Evidence.Confidence: CustomStringConvertible {
  /// The name of the weight.
  public var description: String { rawValue }
}
