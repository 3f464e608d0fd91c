import Connectivity
import ConnectivityCore

/// The automatic source, as if the service listened at the path.
func automatic(at socketPath: String) -> PathSource { PathSource(.automatic(socketPath: socketPath)) }
