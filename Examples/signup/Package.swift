// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "signup",
  dependencies: [
    // In a program of your own: .package(url: …, from: …).
    .package(name: "PathMonitor", path: "../..")
  ],
  targets: [
    .executableTarget(
      name: "signup",
      dependencies: [
        .product(name: "ErrorHandling", package: "PathMonitor"),
        .product(name: "RequestsOnPath", package: "PathMonitor"),
      ]),
    .executableTarget(
      name: "signup-server", dependencies: [.product(name: "ConnectivityTesting", package: "PathMonitor")]),
    .testTarget(
      name: "SignUpTests",
      dependencies: [
        "signup", .product(name: "ConnectivityTesting", package: "PathMonitor"),
        .product(name: "ErrorHandling", package: "PathMonitor"),
        .product(name: "RequestsOnPath", package: "PathMonitor"),
      ]),
  ]
)
