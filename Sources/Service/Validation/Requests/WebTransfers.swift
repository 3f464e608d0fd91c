internal import CCurl
internal import Glibc
internal import PathModel
internal import SystemIO

/// A request to a web server, with its bounds. It has no body, no cookies and no proxy; redirects are not followed.
struct WebRequest: Hashable, Sendable {
  /// The address, of `http` or `https`.
  var address: String
  /// The only family of addresses; `nil` for any.
  var family: IPAddress.Family?
  /// The media type that the server is asked for; `nil` for any.
  var mediaType: String?
  /// The right answer, which needs its end. Any other is complete with the head or the byte that shows that it is
  /// another one, because portals keep the connection, reset it, or send a short body. `nil` if each needs its end.
  var right: ValidationHost.RightAnswer?

  /// The most bytes of the body that are read.
  static let limit = 4_096
  /// The most bytes of all headers.
  static let longestHeader = 65_536
  /// The longest time from the name's look-up to the last byte.
  static let patience = Duration.seconds(10)
}

/// Makes requests in parallel, by libcurl.
enum WebTransfers {
  /// Makes resolvers search the root alone, so that names are absolute. A name that ends with a dot would be so, too,
  /// but is not found in /etc/hosts.
  private static let absoluteNames = unsafe setenv("LOCALDOMAIN", ".", 1)

  /// Makes the requests, and waits until each has its answer or none is awaited any more, and then for the look-ups of
  /// names that nobody awaits any more.
  ///
  /// - Parameters:
  ///   - limit: The time from the begin at which the requests without an answer are given up, by the answers so far and
  ///     the time that has passed; `nil` for none. The first of several limits in a row holds.
  ///   - report: Called with the place of each request when its answer is complete, or when it is given up.
  ///   - conclude: Called with the answers, in the order of the requests, before the wait for look-ups.
  static func run(
    _ requests: [WebRequest], limit: ([WebAnswer?], Duration) -> Duration? = { _, _ in nil },
    report: (Int, WebAnswer) -> Void = { _, _ in }, conclude: ([WebAnswer]) -> Void
  ) {
    _ = absoluteNames
    // Without memory all pointers of libcurl are NULL, which its functions refuse.
    let multi = unsafe curl_multi_init()
    let transfers = requests.map(WebTransfer.init)
    for transfer in transfers { unsafe transfer.begin(in: multi) }
    var (running, answers) = (Int32(0), [WebAnswer?](repeating: nil, count: requests.count))
    let begin = MonotonicInstant.now
    var (rest, end) = (Duration.zero, WebRequest.patience)
    repeat {
      guard unsafe curl_multi_perform(multi, &running) == CURLM_OK else { break }
      var left: Int32 = 0
      // The only messages are those of transfers that have ended.
      while let message = unsafe curl_multi_info_read(multi, &left) {
        let (handle, code) = unsafe (message.pointee.easy_handle, message.pointee.data.result)
        guard let place = transfers.firstIndex(where: { unsafe $0.handle == handle }) else { continue }
        let answer = transfers[place].answer(code)
        answers[place] = answer
        report(place, answer)
      }
      let elapsed = begin.duration(to: .now)
      end = min(limit(answers, elapsed) ?? WebRequest.patience, end)
      rest = min(.seconds(1), end - elapsed)
    } while unsafe running > 0 && rest > .zero
      && curl_multi_poll(multi, nil, 0, Int32(rest / .milliseconds(1)) + 1, nil) == CURLM_OK
    // A time limit of libcurl would wait for the look-ups.
    let isSilent = begin.duration(to: .now) >= WebRequest.patience
    for (place, transfer) in transfers.enumerated() where answers[place] == nil {
      let answer = transfer.answer(isSilent ? CURLE_OPERATION_TIMEDOUT : nil)
      answers[place] = answer
      report(place, answer)
    }
    conclude(answers.compactMap(\.self))
    for transfer in transfers { unsafe transfer.end(in: multi) }
    _ = unsafe curl_multi_cleanup(multi)
  }
}

/// One request under way. libcurl has a pointer to it until ``end(in:)``.
@safe private final class WebTransfer {
  private let request: WebRequest
  fileprivate let handle: UnsafeMutableRawPointer?
  /// The names that were looked up: those of the other family are none for this request.
  private let names: UnsafeMutableRawPointer?
  private var body: [UInt8] = []
  private var headerLength = 0
  /// Whether the transfer was ended here because its answer suffices.
  private var isCut = false
  private var resolved: IPAddress?
  private let message = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
  private let headers: UnsafeMutablePointer<curl_slist>?

  init(_ request: WebRequest) {
    self.request = request
    unsafe message.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    unsafe handle = curl_easy_init()
    unsafe names = ccurl_name_share()
    unsafe headers = request.mediaType.flatMap { unsafe curl_slist_append(nil, "Accept: \($0)") }
  }

  func begin(in multi: UnsafeMutableRawPointer?) {
    configure()
    receive()
    _ = unsafe curl_multi_add_handle(multi, handle)
  }

  func end(in multi: UnsafeMutableRawPointer?) {
    _ = unsafe curl_multi_remove_handle(multi, handle)
    unsafe curl_easy_cleanup(handle)
    _ = unsafe curl_share_cleanup(names)
    unsafe message.deallocate()
    unsafe curl_slist_free_all(headers)
  }

  private func configure() {
    let family = request.family.map { $0 == .ipv4 ? CURL_IPRESOLVE_V4 : CURL_IPRESOLVE_V6 }
    let numbers: [(CURLoption, Int)] = [
      (CURLOPT_NOSIGNAL, 1), (CURLOPT_FOLLOWLOCATION, 0), (CURLOPT_SSL_VERIFYPEER, 1), (CURLOPT_SSL_VERIFYHOST, 2),
      (CURLOPT_FRESH_CONNECT, 1), (CURLOPT_FORBID_REUSE, 1), (CURLOPT_DNS_CACHE_TIMEOUT, 0),
      (CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1)), (CURLOPT_HTTP09_ALLOWED, 1),
      (CURLOPT_IPRESOLVE, Int(family ?? CURL_IPRESOLVE_WHATEVER)),
      // Half of it is for the first of two addresses. The requests are given up before its end.
      (CURLOPT_CONNECTTIMEOUT_MS, 10_500),
    ]
    for (option, value) in numbers { _ = unsafe ccurl_set_number(handle, option, value) }
    let texts = [
      (CURLOPT_PROTOCOLS_STR, "http,https"), (CURLOPT_PROXY, ""),
      (CURLOPT_USERAGENT, "PathMonitor"), (CURLOPT_URL, request.address),
    ]
    for (option, value) in texts { _ = unsafe ccurl_set_text(handle, option, value) }
  }

  /// Sets the functions that libcurl calls, which get this object as their pointer.
  private func receive() {
    let own = unsafe Unmanaged.passUnretained(self).toOpaque()
    _ = unsafe ccurl_set_pointer(handle, CURLOPT_SHARE, names)
    for option in [CURLOPT_WRITEDATA, CURLOPT_HEADERDATA, CURLOPT_OPENSOCKETDATA] {
      _ = unsafe ccurl_set_pointer(handle, option, own)
    }
    _ = unsafe ccurl_set_pointer(handle, CURLOPT_ERRORBUFFER, message)
    _ = unsafe ccurl_set_pointer(handle, CURLOPT_HTTPHEADER, headers)
    _ = unsafe ccurl_set_write(handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, own in
      guard let bytes = unsafe bytes, let own = unsafe own else { return 0 }
      let transfer = unsafe Unmanaged<WebTransfer>.fromOpaque(own).takeUnretainedValue()
      let part = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
      unsafe transfer.body.append(contentsOf: part.prefix(WebRequest.limit + 1 - transfer.body.count))
      // Another number than that of the bytes ends the transfer.
      return transfer.suffices() ? 0 : size * count
    }
    _ = unsafe ccurl_set_write(handle, CURLOPT_HEADERFUNCTION) { _, size, count, own in
      guard let own = unsafe own else { return 0 }
      let transfer = unsafe Unmanaged<WebTransfer>.fromOpaque(own).takeUnretainedValue()
      transfer.headerLength += size * count
      // The head ends with an empty line, and so do the informational answers before it.
      let isHead = size * count <= 2 && transfer.number(CURLINFO_RESPONSE_CODE) >= 200
      return transfer.headerLength > WebRequest.longestHeader || isHead && transfer.suffices() ? 0 : size * count
    }
    _ = unsafe ccurl_set_open_socket(handle) { own, _, address in
      guard let own = unsafe own, let address = unsafe address else { return -1 }
      let transfer = unsafe Unmanaged<WebTransfer>.fromOpaque(own).takeUnretainedValue()
      // The address is longer than its declared type, a `struct sockaddr`.
      let start = unsafe UnsafeRawPointer(address) + (MemoryLayout<curl_sockaddr>.offset(of: \.addr) ?? 0)
      let bytes = unsafe Array(UnsafeRawBufferPointer(start: start, count: Int(address.pointee.addrlen)))
      transfer.resolved = IPAddress(socketAddress: bytes) ?? transfer.resolved
      return unsafe socket(
        address.pointee.family, address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue), address.pointee.protocol)
    }
  }

  /// The first byte of the body that is no space.
  private var firstSign: UInt8? { body.first { !" \r\n\t".utf8.contains($0) } }

  private func suffices() -> Bool {
    let status = number(CURLINFO_RESPONSE_CODE)
    let isOther = request.right.map { !$0.isMet(by: status, body, isWhole: false) } ?? false
    isCut = isOther && (status > 0 || firstSign != nil) || body.count > WebRequest.limit
    return isCut
  }

  /// The answer of a transfer that has ended with the code; `nil` for one that is given up.
  func answer(_ code: CURLcode?) -> WebAnswer {
    WebAnswer(result: result(code), resolved: resolved, when: boottimeMicroseconds())
  }

  private func result(_ code: CURLcode?) -> Result<WebAnswer.Content, WebAnswer.Failure> {
    guard let code else { return .failure(.unawaited) }
    let status = number(CURLINFO_RESPONSE_CODE)
    // Some old gateways send their page without a head (HTTP/0.9). Anything else is no answer of the web.
    let isPage = status > 0 || firstSign == UInt8(ascii: "<")
    guard code == CURLE_OK || isCut, isPage else { return .failure(failure(code)) }
    let mediaType = header("Content-Type").map { type in
      String(decoding: type.utf8.prefix { !"; \t".utf8.contains($0) }, as: UTF8.self).lowercased()
    }
    return .success(
      .init(
        status: status, location: header("Location"), mediaType: mediaType, body: body, retryAfter: retryAfter(status)))
  }

  /// The time of `Retry-After`, as seconds or a date; `nil` without one, or where it is not about the host's load.
  private func retryAfter(_ status: Int) -> Duration? {
    guard status == 429 || status == 503 else { return nil }
    var seconds: curl_off_t = 0
    _ = unsafe ccurl_get_offset(handle, CURLINFO_RETRY_AFTER, &seconds)
    return seconds > 0 ? .seconds(Int(seconds)) : status == 429 ? ValidationSchedule.longest : nil
  }

  private func failure(_ code: CURLcode) -> WebAnswer.Failure {
    let words = unsafe String(cString: message)
    let reason = words.isEmpty ? unsafe String(cString: curl_easy_strerror(code)) : words
    switch code {
    case CURLE_COULDNT_RESOLVE_HOST: return .noName
    case CURLE_OPERATION_TIMEDOUT: return resolved == nil ? .noName : .silence
    case CURLE_COULDNT_CONNECT:
      // So libcurl 7.88 reports a name that has an address of another family alone.
      if resolved == nil { return .noName }
      switch Int32(truncatingIfNeeded: number(CURLINFO_OS_ERRNO)) {
      case ECONNREFUSED, ECONNRESET: return .reset
      case ETIMEDOUT: return .silence
      default: return .noConnection(reason)
      }
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR: return .certificate(reason)
    case CURLE_SSL_CONNECT_ERROR:
      return number(CURLINFO_OS_ERRNO) == Int(ECONNRESET) ? .reset : .certificate(reason)
    // The server, or somebody in its place, has answered, and not in HTTP.
    case CURLE_OK, CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_GOT_NOTHING, CURLE_WEIRD_SERVER_REPLY, CURLE_PARTIAL_FILE,
      CURLE_BAD_CONTENT_ENCODING, CURLE_WRITE_ERROR:
      return .reset
    default: return .failed(reason)
    }
  }

  private func number(_ info: CURLINFO) -> Int {
    var value = 0
    _ = unsafe ccurl_get_number(handle, info, &value)
    return value
  }

  private func header(_ name: String) -> String? {
    var header: UnsafeMutablePointer<curl_header>?
    _ = unsafe curl_easy_header(handle, name, 0, UInt32(CURLH_HEADER), -1, &header)
    return unsafe header.map { unsafe String(cString: $0.pointee.value) }
  }
}

extension IPAddress {
  /// The address in a `struct sockaddr`; `nil` for another family.
  fileprivate init?(socketAddress bytes: [UInt8]) {
    func number(_ range: Range<Int>) -> UInt64 { bytes[range].reduce(0) { $0 << 8 | UInt64($1) } }
    switch bytes.first.map(Int32.init) {
    case AF_INET where bytes.count >= 8: self.init(ipv4: UInt32(number(4..<8)))
    case AF_INET6 where bytes.count >= 24: self.init(ipv6: number(8..<16), number(16..<24))
    default: return nil
    }
  }
}
