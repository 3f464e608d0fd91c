// `import RequestsOnPath` is all a program needs: monitors, requirements, paths, retries and rules for errors come with
// it.
@_exported public import Connectivity
@_exported public import ErrorHandling
@_exported public import Resilience
