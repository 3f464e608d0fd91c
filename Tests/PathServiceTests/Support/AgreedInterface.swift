/// The interface as of the first release, without comments. Clients are written against it, so nothing in it may
/// change. Later versions add fields to types and replies, and types for these fields.
enum AgreedInterface {
  static let text = """
    interface io.pathmonitor.PathMonitor

    type Interface (name: string, index: int, type: string, isExpensive: bool, isConstrained: bool,
      underlying: []string, underlyingTypes: []string, mtu: ?int, hardwareAddress: ?string, addresses: []string,
      driver: ?string)
    type Evidence (source: string, verdict: string, confidence: string, text: string)
    type Cost (isExpensive: bool, isConstrained: bool, confidence: string, evidence: []Evidence)
    type NetworkPath (
      status: (satisfied, unsatisfied, requiresConnection),
      knowledge: (known, stale, unknown),
      unsatisfiedReason: ?string,
      interfaces: []Interface,
      interfaceType: ?string,
      usesTunnel: bool,
      isExpensive: bool, isConstrained: bool, cost: ?Cost,
      supportsIPv4: bool, supportsIPv6: bool, supportsDNS: bool,
      validation: Validation,
      gateways: []string,
      gatewayScopes: []string,
      overrides: []string,
      sequence: int,
      boottimeMicroseconds: int,
      changed: []string )
    type Observation (source: string, verdict: string, family: ?string, when: int, text: string)
    type Validation (state: string, since: ?int, portal: ?string, announced: ?string, evidence: []Observation)
    type Diagnosis (code: string, subject: ?string, sentence: string)
    type Route (destination: string, interface: ?string, gateway: ?string, source: ?string, table: ?string, rule: ?string)

    method GetPath(requirement: ?string) -> (path: NetworkPath)
    method WatchPath(requirement: ?string, settleMilliseconds: ?int) -> (path: NetworkPath)
    method WaitForPath(requirement: string, timeoutMilliseconds: ?int) -> (path: NetworkPath)
    method ListInterfaces() -> (interfaces: []Interface)
    method Explain(requirement: ?string) -> (path: NetworkPath, diagnosis: ?Diagnosis, furtherDiagnoses: []Diagnosis,
      steps: []string)
    method GetRoute(destination: string) -> (path: NetworkPath, diagnosis: ?Diagnosis, furtherDiagnoses: []Diagnosis,
      route: ?Route, steps: []string)
    method SetOverride(field: string, value: string, interface: ?string, seconds: ?int, why: ?string) -> ()
    method ClearOverride(field: ?string, interface: ?string) -> ()
    method GetHealth() -> (health: [string]int, notes: []string, configurationProblems: []string)
    method ReportValidation(interface: string, gateways: []string, begun: ?int, validation: Validation) -> ()
    method RenewValidation() -> ()

    error InvalidRequirement (text: string, position: int, allowed: []string)
    error TimedOut (path: NetworkPath)
    error PermissionDenied (needed: string)
    error LimitReached (limit: string, value: int)
    error NoSuchInterface (name: string)
    error InvalidDestination (destination: string)
    error PathUnknown (reason: string)
    error AnotherPath (interface: ?string)

    """
}
