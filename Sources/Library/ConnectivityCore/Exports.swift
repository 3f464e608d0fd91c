// The values come with the monitors, and so do the queues that handlers are called on: `import Network` has them, too.
@_exported public import Dispatch
@_exported public import PathFollowing
@_exported public import PathModel
