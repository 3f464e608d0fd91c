package import PathModel

/// One round: a request to each host by each family of the path, and one to the interface for the sign-in that the
/// network has announced.
package struct RequestRound: Hashable, Sendable {
  /// The hosts.
  package var hosts: [ValidationHost]
  /// The families that the path has.
  package var families: [IPAddress.Family]
  /// The address of the interface for the sign-in; `nil` if none was announced. It is asked by `https` alone.
  package var announced: String?

  /// A round over a path.
  package init(_ hosts: [ValidationHost], over path: NetworkPath) {
    self.hosts = hosts
    families = (path.supportsIPv4 ? [.ipv4] : []) + (path.supportsIPv6 ? [.ipv6] : [])
    announced = path.validation.announcedInterface
  }

  /// Whether there is nothing to ask.
  package var isEmpty: Bool { announced == nil && (hosts.isEmpty || families.isEmpty) }

  /// Makes all requests in parallel. That takes ten seconds at most.
  ///
  /// - Parameter report: Called with each observation as it comes.
  package func run(report: (PathValidation.Observation) -> Void = { _ in }) -> RoundVerdict {
    let asked = hosts.flatMap { host in families.map { (host, $0) } }
    var requests = asked.map { WebRequest($0.0.address, $0.1) }
    if let announced {
      var request = WebRequest(announced)
      (request.isSecureOnly, request.mediaType, request.limit) = (true, PortalAnswer.mediaType, PortalAnswer.longest)
      requests.append(request)
    }
    let answers = WebTransfers.run(requests) { place, answer in
      let isHost = place < asked.count
      let verdict =
        isHost
        ? RoundVerdict([HostReply(asked[place].0, asked[place].1, answer)])
        : RoundVerdict([], announced: AnnouncedReply(answer))
      verdict.evidence.forEach(report)
    }
    return RoundVerdict(
      zip(asked, answers).map { HostReply($0.0, $0.1, $1) },
      announced: announced == nil ? nil : answers.last.map { AnnouncedReply($0) })
  }
}

extension PathValidation {
  /// The address of the interface for the sign-in that the network has announced; `nil` if it has announced none by
  /// `https`.
  fileprivate var announcedInterface: String? {
    guard let announced, announced.lowercased().utf8.starts(with: "https://".utf8) else { return nil }
    return announced
  }
}

extension HostReply {
  /// The reply in an answer.
  init(_ host: ValidationHost, _ family: IPAddress.Family, _ answer: WebAnswer) {
    let outcome: Outcome =
      switch answer.result {
      case .success(let content):
        host.judge(status: content.status, location: content.location, body: content.body)
      case .failure(.noName): .noName
      case .failure(.noConnection(let words)): .noConnection(words)
      case .failure(.reset): .reset
      case .failure(.certificate(let words)): .certificate(words)
      case .failure(.silence): .silence
      case .failure(.failed(let words)): .failure(words)
      }
    self.init(host, family, outcome, resolved: answer.resolved, when: answer.when)
  }
}

extension AnnouncedReply {
  /// The reply in an answer.
  init(_ answer: WebAnswer) {
    func read(_ content: WebAnswer.Content) throws(PortalAnswer.Fault) -> PortalAnswer {
      guard content.status == 200 else { throw PortalAnswer.Fault(words: "its status is \(content.status)") }
      guard content.mediaType == PortalAnswer.mediaType else {
        throw PortalAnswer.Fault(words: "the answer is not of type \(PortalAnswer.mediaType)")
      }
      return try PortalAnswer(parsing: content.body)
    }
    switch answer.result {
    case .success(let content):
      do throws(PortalAnswer.Fault) {
        self.init(.success(try read(content)), when: answer.when)
      } catch {
        self.init(.failure(error), when: answer.when)
      }
    case .failure(let failure): self.init(.failure(.init(words: failure.words)), when: answer.when)
    }
  }
}

extension WebAnswer.Failure {
  /// The failure in words, for people.
  fileprivate var words: String {
    switch self {
    case .noName: "the name has no address"
    case .noConnection(let fault): "no connection: \(fault.inOneLine)"
    case .reset: "the connection was refused, reset or broken off"
    case .certificate(let fault): "the certificate is not right: \(fault.inOneLine)"
    case .silence: "nothing came within the time"
    case .failed(let fault): "the request could not be made: \(fault.inOneLine)"
    }
  }
}
