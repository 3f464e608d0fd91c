// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "offline-page",
  dependencies: [
    // In a program of your own: .package(url: …, from: …).
    .package(name: "PathMonitor", path: "../..")
  ],
  targets: [
    .systemLibrary(name: "CMicroHTTPD", providers: [.apt(["libmicrohttpd-dev"])]),
    .executableTarget(
      name: "offline-page",
      dependencies: [
        .product(name: "ConnectivityCore", package: "PathMonitor"),
        .product(name: "ErrorHandling", package: "PathMonitor"), "CMicroHTTPD",
      ],
      resources: [.embedInCode("Page/page.html"), .embedInCode("Page/page.css"), .embedInCode("Page/page.js")]),
    .testTarget(
      name: "OfflinePageTests",
      dependencies: [
        "offline-page", .product(name: "ConnectivityTesting", package: "PathMonitor"),
        .product(name: "ErrorHandling", package: "PathMonitor"),
      ]),
  ]
)
