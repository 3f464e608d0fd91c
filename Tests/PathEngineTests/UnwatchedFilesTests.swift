import KernelPath
import SystemTestSupport
import Testing

@testable import PathEngine

@Suite("Files that cannot be watched")
struct UnwatchedFilesTests {
  @Test func `an inquiry lacks watches as long as the directory of a file cannot be watched`() throws {
    let directory = try TemporaryDirectory()
    var configuration = PathInquiry.Configuration()
    configuration.paths.resolver = directory("resolv.conf")
    configuration.paths.upstreamResolver = directory("upstream.conf")
    let inquiry = try directory.withoutReading { try PathInquiry(configuration, isFollowing: true) }
    #expect(inquiry.lacksWatches)
    inquiry.kernel.updateResolver()
    #expect(!inquiry.lacksWatches)
  }
}
