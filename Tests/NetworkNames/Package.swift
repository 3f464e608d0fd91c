// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "network-names",
  dependencies: [.package(name: "PathMonitor", path: "../..")],
  targets: [
    .target(
      name: "App",
      dependencies: [
        // The other way round: on Linux there is no such product.
        .product(name: "Reachability", package: "PathMonitor", condition: .when(platforms: [.macOS]))
      ]),
    .target(name: "AppInSwift5", swiftSettings: [.swiftLanguageMode(.v5)]),
    .testTarget(name: "NetworkNamesTests", dependencies: ["App", "AppInSwift5"]),
  ]
)

#if os(Linux)
  package.targets.append(
    .target(
      name: "Network",
      dependencies: [.product(name: "Connectivity", package: "PathMonitor", condition: .when(platforms: [.linux]))]))
  for target in package.targets where target.name != "Network" { target.dependencies.append("Network") }
#endif
