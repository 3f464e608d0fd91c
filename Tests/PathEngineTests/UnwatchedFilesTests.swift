import KernelPath
import ProcessTestSupport
import Testing

@testable import PathEngine

@Suite("Files that cannot be watched")
struct UnwatchedFilesTests {
  @Test func `a reader lacks watches as long as the directory of a file cannot be watched`() throws {
    let directory = try ScratchDirectory()
    var configuration = PathReader.Configuration()
    configuration.paths.resolver = directory("resolv.conf")
    configuration.paths.upstreamResolver = directory("upstream.conf")
    let reader = try directory.withoutReading { try PathReader(configuration, isFollowing: true) }
    #expect(reader.lacksWatches)
    reader.kernel.updateResolver()
    #expect(!reader.lacksWatches)
  }
}
