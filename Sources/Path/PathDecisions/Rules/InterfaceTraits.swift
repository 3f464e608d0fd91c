package import PathModel

/// The properties by which rules distinguish interfaces.
package struct InterfaceTraits: Hashable, Sendable {
  /// The kernel's index, which stays while the interface lives.
  package var index: Int32
  /// The name of the interface.
  package var name: String
  /// The alternative names.
  package var alternativeNames: [String]
  /// The detected type, not one that a rule sets.
  package var type: InterfaceType
  /// The name of the kernel driver; `nil` for virtual interfaces and where sysfs cannot be read.
  package var driver: String?
  /// The wireless network it is connected to; `nil` when there is none, or it is not known.
  package var networkName: NetworkName?
  /// The link-layer address as colon-separated hexadecimal bytes; `nil` when the link has none.
  package var hardwareAddress: String?
  /// The routers reached over it.
  package var gateways: [IPAddress]

  /// Traits as found.
  package init(
    index: Int32, name: String, alternativeNames: [String] = [], type: InterfaceType, driver: String? = nil,
    networkName: NetworkName? = nil,
    hardwareAddress: String? = nil, gateways: [IPAddress] = []
  ) {
    self.index = index
    self.name = name
    self.alternativeNames = alternativeNames
    self.type = type
    self.driver = driver
    self.networkName = networkName
    self.hardwareAddress = hardwareAddress
    self.gateways = gateways
  }
}
