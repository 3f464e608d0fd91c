// `import Connectivity` is all a program needs: monitors and values come with it.
@_exported public import ConnectivityCore
