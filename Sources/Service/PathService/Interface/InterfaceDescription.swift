/// The description of `io.pathmonitor.PathMonitor`: the file beside this folder, as clients receive it.
package enum InterfaceDescription {
  /// The text of the file.
  package static let text = String(decoding: PackageResources.io_pathmonitor_PathMonitor_varlink, as: UTF8.self)
}
