// swift-tools-version: 6.2
import PackageDescription

// A package of its own: a package that has a target `ErrorHandler` or `Alamofire` cannot be used together with the
// libraries of these names.
let package = Package(
  name: "workable-names",
  products: [.library(name: "ErrorHandler", targets: ["ErrorHandler"])],
  dependencies: [.package(name: "PathMonitor", path: "../..")],
  targets: [
    .target(
      name: "ErrorHandler", dependencies: [.product(name: "ErrorHandling", package: "PathMonitor"), "Alamofire"]),
    .target(name: "Alamofire"),
    .testTarget(
      name: "WorkableNamesTests", dependencies: ["ErrorHandler", "Alamofire"],
      swiftSettings: [.swiftLanguageMode(.v5)]),
  ]
)
