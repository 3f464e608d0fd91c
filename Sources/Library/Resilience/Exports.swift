// `import Resilience` is all a program needs: monitors, requirements and paths come with it.
@_exported public import ConnectivityCore
