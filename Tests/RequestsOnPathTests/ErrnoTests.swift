import ConnectivityTesting
import Foundation
import Glibc
import Testing

@testable import RequestsOnPath

@Suite("Classifying an errno")
struct ErrnoTests {
  private typealias Reason = RequestFailure.Reason

  @Test(
    "an errno and the path have one reason",
    arguments: [
      (ENETUNREACH, Reason.cannotConnect, Reason.offline, "no route to this address, or to none"),
      (ENETDOWN, .cannotConnect, .offline, "the device is down"),
      (EADDRNOTAVAIL, .cannotConnect, .offline, "the address of this machine is gone"),
      (EHOSTUNREACH, .cannotConnect, .offline, "the neighbour or the router does not answer"),
      (ECONNREFUSED, .cannotConnect, .cannotConnect, "a host has answered, on whatever network"),
      (ECONNRESET, .connectionLost, .connectionLost, "a reset was sent by a host"),
      (EPIPE, .connectionLost, .connectionLost, "the server has closed"),
      (ECONNABORTED, .connectionLost, .connectionLost, "the connection was given up"),
      (ETIMEDOUT, .timedOut(.request), .connectionLost, "silence since the path has gone is the path's"),
      (ECANCELED, .cancelled, .cancelled, "cancelled on any path"),
      (EMFILE, .other, .connectionLost, "no descriptor is free"),
      (EACCES, .other, .connectionLost, "a packet filter, perhaps"),
    ])
  func errno(_ errno: Int32, _ online: RequestFailure.Reason, _ offline: RequestFailure.Reason, why: String) {
    let failure = RequestFailure.judging(errno: errno, pathBefore: .online(), path: .online())
    #expect(failure.reason == online, "\(why)")
    #expect(!failure.isUnsent, "an established connection can have this errno, too")
    let unconnected = RequestFailure.judging(errno: errno, whileConnecting: true, path: .online())
    #expect(unconnected.reason == online && unconnected.isUnsent, "\(why)")
    #expect(RequestFailure.judging(errno: errno, pathBefore: .online(), path: .offline).reason == offline, "\(why)")
    let wrapped = NSError(
      domain: "client", code: 1,
      userInfo: [NSUnderlyingErrorKey: NSError(domain: NSPOSIXErrorDomain, code: Int(errno))])
    #expect(RequestFailure(judging: wrapped, pathBefore: .online(), path: .online()).reason == online, "\(why)")
  }

  @Test func `the error with the errno is kept`() {
    struct IOError: Error {}
    #expect(RequestFailure.judging(errno: EPIPE, underlying: IOError()).underlying is IOError)
    #expect((RequestFailure.judging(errno: EPIPE).underlying as? NSError)?.code == Int(EPIPE))
  }

  @Test func `an error of Foundation has the traits of its meaning`() {
    let rows: [(any Error, FailureTraits)] = [
      (POSIXError(.ENETUNREACH), FailureTraits(.offline)), (POSIXError(.ECONNRESET), FailureTraits(.transient)),
      (URLError(.unknown), FailureTraits(.transient)), (URLError(.networkConnectionLost), FailureTraits(.transient)),
      (URLError(.timedOut), FailureTraits(.timedOut)),
      (URLError(.cannotConnectToHost), FailureTraits(.transient, isAnswer: true)),
      (URLError(.notConnectedToInternet), FailureTraits(.offline, isUnsent: true)),
      (URLError(.badURL), FailureTraits(.permanent, isUnsent: true)),
      (NSError(domain: NSURLErrorDomain, code: URLError.Code.badURL.rawValue), .init(.permanent, isUnsent: true)),
    ]
    for (error, traits) in rows { #expect(FailureTraits(of: error) == traits, "\(error)") }
  }

  @Test func `a refusal is an answer, and a host that is silent gives none`() {
    let refused = RequestFailure(judging: URLError(.cannotConnectToHost), path: .offline)
    #expect(refused.failureTraits == FailureTraits(.transient, isAnswer: true))
    let silent = RequestFailure.judging(errno: EHOSTUNREACH, path: .online())
    #expect(silent.reason == .cannotConnect && silent.failureTraits == FailureTraits(.transient))
    #expect(AnswerFailure(.notFound, status: 404).failureTraits.isAnswer)
    #expect(!RequestFailure(.captivePortal(nil)).failureTraits.isAnswer)
  }

  @Test(
    "each reason has its traits",
    arguments: [
      (Reason.offline, FailureTraits.Kind.offline), (.connectionLost, .transient), (.hostNotFound, .transient),
      (.cannotConnect, .transient), (.timedOut(.request), .timedOut), (.timedOut(.resource), .timedOut),
      (.requirementNotMet(.wifi), .offline), (.insecure, .permanent), (.captivePortal(nil), .permanent),
      (.authenticationRequired, .permanent), (.invalidRequest, .permanent), (.invalidResponse, .permanent),
      (.unusableFile, .permanent), (.cancelled, .cancelled), (.other, .unknown),
    ])
  func traits(_ reason: RequestFailure.Reason, _ kind: FailureTraits.Kind) {
    #expect(RequestFailure(reason).failureTraits.kind == kind)
    #expect(ValueFailure.request(RequestFailure(reason, isUnsent: true)).failureTraits.isUnsent)
  }
}

@Suite("The language of the sentences")
struct TranslationTests {
  @Test func `a table of the program translates a sentence, and names stay in their places`() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).bundle")
    defer { try? FileManager.default.removeItem(at: folder) }
    let table = folder.appendingPathComponent("en.lproj")
    try FileManager.default.createDirectory(at: table, withIntermediateDirectories: true)
    try Data(#""The server \"%@\" was not found." = "Den Server „%@“ gibt es nicht.";"#.utf8).write(
      to: table.appendingPathComponent("RequestsOnPath.strings"))
    let bundle = try #require(Bundle(url: folder))
    let english = #"The server "%@" was not found."#
    #expect(FailureWords.sentence(english, "a.example", bundle: bundle) == "Den Server „a.example“ gibt es nicht.")
    #expect(FailureWords.sentence("This took too long.", bundle: bundle) == "This took too long.")
    #expect(
      FailureWords.sentence(english, "%@\u{1B}[31m", bundle: bundle) == #"Den Server „%@\u{1B}[31m“ gibt es nicht."#)
  }
}
