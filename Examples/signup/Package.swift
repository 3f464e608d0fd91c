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
    // The answers of the service, for the server and the tests.
    .target(name: "NameService", dependencies: [.product(name: "ConnectivityTesting", package: "PathMonitor")]),
    .executableTarget(
      name: "signup-server",
      dependencies: ["NameService", .product(name: "ConnectivityTesting", package: "PathMonitor")]),
    .testTarget(
      name: "SignUpTests",
      dependencies: [
        "signup", "NameService", .product(name: "ConnectivityTesting", package: "PathMonitor"),
        .product(name: "ErrorHandling", package: "PathMonitor"),
        .product(name: "RequestsOnPath", package: "PathMonitor"),
      ]),
  ]
)
