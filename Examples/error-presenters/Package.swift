// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "error-presenters",
  dependencies: [
    // In a program of your own: .package(url: …, from: …).
    .package(name: "PathMonitor", path: "../..")
  ],
  targets: [
    .executableTarget(
      name: "careful-copy", dependencies: [.product(name: "ErrorHandling", package: "PathMonitor")]),
    .testTarget(
      name: "CarefulCopyTests",
      dependencies: ["careful-copy", .product(name: "ErrorHandling", package: "PathMonitor")]),
  ]
)
