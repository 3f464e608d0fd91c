// `import RequestsOnPath` is all a program needs: monitors, requirements, paths and retries come with it.
@_exported public import Connectivity
@_exported public import Resilience
