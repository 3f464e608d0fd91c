import PathModel
import Testing

@Suite("Overrides")
struct PathOverrideTests {
  @Test(
    arguments: [
      (
        "isExpensive", "false", "wlan0", "hotel Wi-Fi is free",
        #"unmetered on wlan0, set by user 1000 ("hotel Wi-Fi is free")"#
      ),
      ("isConstrained", "true", nil, nil, "constrained, set by user 1000"),
      ("status", "unsatisfied", "eth0", "", "offline on eth0, set by user 1000"),
    ] as [(String, String, String?, String?, String)])
  func `an override has a description in words`(
    field: String, value: String, interface: String?, why: String?, words: String
  ) throws {
    let override = try PathOverride(
      field: PathOverride.Field(name: field), value: value, interface: interface, user: 1_000, why: why, setAt: 5)
    #expect(override.words == words)
  }

  @Test func `only fields that can be overridden are taken`() {
    let error = #expect(throws: OverrideError.self) { try PathOverride.Field(name: "interfaceType") }
    #expect(error?.parameter == "field")
    #expect(error?.value == "interfaceType")
    #expect(
      error?.description == "'interfaceType' cannot be overridden; allowed: isExpensive, isConstrained, status")
  }

  /// The parts of an override, and the one that is wrong. OverrideFileTests has the messages.
  @Test(
    arguments: [
      (.isExpensive, "maybe", nil, nil, "value"), (.isConstrained, "", nil, nil, "value"),
      (.status, "satisfied", nil, nil, "value"), (.status, "true", nil, nil, "value"),
      (.status, "unsatisfied", "", nil, "interface"), (.status, "unsatisfied", "a/b", nil, "interface"),
      (.status, "unsatisfied", "..", nil, "interface"), (.status, "unsatisfied", "abcdefghijklmnop", nil, "interface"),
      (.status, "unsatisfied", nil, String(repeating: "x", count: 257), "why"),
      (.status, "unsatisfied", nil, String(repeating: "é", count: 129), "why"),
      (.status, "unsatisfied", nil, "a\nb", "why"), (.status, "unsatisfied", nil, "\u{2028}", "why"),
    ] as [(PathOverride.Field, String, String?, String?, String)])
  func `only the values of the field, names of interfaces and a line of at most 256 bytes are taken`(
    field: PathOverride.Field, value: String, interface: String?, why: String?, parameter: String
  ) {
    let error = #expect(throws: OverrideError.self) {
      try PathOverride(field: field, value: value, interface: interface, user: 0, why: why, setAt: 0)
    }
    #expect(error?.parameter == parameter)
    #expect(error?.value == [value, interface, why].compactMap(\.self).last)
    if parameter == "value" { #expect(error?.allowed == field.allowedValues) }
  }

  @Test(arguments: ["", String(repeating: "x", count: 256)])
  func `a reason may be as long, and an empty one is none`(why: String) throws {
    let override = try PathOverride(field: .status, value: "unsatisfied", user: 0, why: why, setAt: 0)
    #expect(override.why == (why.isEmpty ? nil : why))
  }

  private static func override(
    _ field: PathOverride.Field, _ interface: String? = nil, value: String? = nil, expires: Int? = nil
  ) throws -> PathOverride {
    try PathOverride(
      field: field, value: value ?? field.allowedValues[0], interface: interface, expires: expires, user: 0, setAt: 1)
  }

  @Test func `of two for the same field and interface the last one applies`() throws {
    var table = OverrideTable()
    try table.set(Self.override(.isExpensive, "eth0", value: "true"))
    try table.set(Self.override(.isExpensive, "eth0", value: "false"))
    try table.set(Self.override(.isExpensive, value: "true"))
    #expect(table.overrides.map(\.value) == ["true", "false"])
  }

  @Test func `the order does not depend on the one of setting`() throws {
    let overrides = try [
      Self.override(.isExpensive), Self.override(.isExpensive, "eth0"), Self.override(.isExpensive, "eth1"),
      Self.override(.isConstrained, "eth0"), Self.override(.status), Self.override(.status, "wlan0"),
    ]
    for shift in overrides.indices {
      var table = OverrideTable()
      for override in overrides[shift...] + overrides[..<shift] { try table.set(override) }
      #expect(table.overrides == overrides)
    }
  }

  @Test func `there is room for 64, and for the replacement of each`() throws {
    var table = OverrideTable()
    for number in 0..<64 { try table.set(Self.override(.status, "eth\(number)")) }
    let before = table
    let error = #expect(throws: OverrideTable.LimitError.self) { try table.set(Self.override(.status)) }
    #expect(error?.limit == 64)
    #expect(error?.description == "there are 64 overrides, as many as there can be; clear some first")
    #expect(table == before)
    try table.set(Self.override(.status, "eth7", expires: 9))
    #expect(table.nextExpiry == 9)
  }

  @Test(
    arguments: [
      (nil, nil, 5), (.isExpensive, nil, 3), (.status, nil, 1), (nil, "eth0", 3), (.isExpensive, "eth0", 1),
      (.isConstrained, "eth1", 0), (nil, "eth9", 0),
    ] as [(PathOverride.Field?, String?, Int)])
  func `clearing removes the named overrides, and returns how many`(
    field: PathOverride.Field?, interface: String?, count: Int
  ) throws {
    var table = OverrideTable()
    try table.set(Self.override(.isExpensive))
    try table.set(Self.override(.isExpensive, "eth0"))
    try table.set(Self.override(.isExpensive, "eth1"))
    try table.set(Self.override(.isConstrained, "eth0"))
    try table.set(Self.override(.status, "eth0"))
    let (first, second) = (
      table.clear(field: field, interface: interface), table.clear(field: field, interface: interface)
    )
    #expect((first, second) == (count, 0))
    #expect(table.overrides.count == 5 - count)
  }

  @Test func `an expired override is removed, at its time and not before`() throws {
    var table = OverrideTable()
    #expect(table.nextExpiry == nil)
    try table.set(Self.override(.status))
    #expect(table.nextExpiry == nil)
    try table.set(Self.override(.isExpensive, expires: 20))
    try table.set(Self.override(.isConstrained, expires: 10))
    #expect(table.nextExpiry == 10)
    for (now, isAny, next) in [(9, false, 10), (10, true, 20), (Int.max, true, nil)] as [(Int, Bool, Int?)] {
      let removesAny = table.removeExpired(at: now)
      #expect(removesAny == isAny)
      #expect(table.nextExpiry == next)
    }
    #expect(table.overrides.map(\.field) == [.status])
  }
}
