// The values come with the monitors.
@_exported public import PathModel
