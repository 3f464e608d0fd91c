import PathModel
import SystemIO
import Testing

@testable import PathEngine

@Suite("A stream of paths")
struct PathStreamTests {
  @Test func `an update that a delivery causes is delivered after it to all subscribers`() throws {
    let stream = PathStream(StreamParameters(.immediate), representative: nil, loop: try EventLoop())
    defer { stream.stop() }
    var path = NetworkPath.unknown
    func change(to status: NetworkPath.Status) {
      path.status = status
      stream.observe(path, at: .now)
    }
    var received: [[NetworkPath.Status]] = [[], []]
    for number in received.indices {
      let subscriber = PathStream.Subscriber(number: number, user: nil, stream: stream) { update in
        received[number].append(update.path.status)
        if number == 0, update.path.status == .unsatisfied { change(to: .satisfied) }
      }
      stream.add(subscriber, fresh: path)
    }
    change(to: .unsatisfied)
    #expect(received[1] == [NetworkPath.unknown.status, .unsatisfied, .satisfied])
    #expect(received[0] == received[1])
  }
}
