// `import Connectivity` is all a program needs: monitors, values and dispatch queues come with it.
@_exported public import ConnectivityCore
