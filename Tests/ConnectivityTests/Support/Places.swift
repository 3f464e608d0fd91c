import Connectivity
import ConnectivityCore
import Foundation

/// The automatic source, as if the service listened at the path.
func automatic(at socketPath: String) -> PathSource { PathSource(.automatic(socketPath: socketPath)) }

/// The folder of the repository.
let repository = URL(filePath: #filePath).appending(path: "../../../..").standardized
