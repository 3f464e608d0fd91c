// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "posts",
  dependencies: [
    // In a program of your own: .package(url: …, from: …).
    .package(name: "PathMonitor", path: "../..")
  ],
  targets: [
    .systemLibrary(name: "CCurses", providers: [.apt(["libncurses-dev"])]),
    .executableTarget(
      name: "posts",
      dependencies: [
        .product(name: "Connectivity", package: "PathMonitor"),
        .product(name: "RequestsOnPath", package: "PathMonitor"),
        "CCurses",
      ]),
    .testTarget(name: "PostsTests", dependencies: ["posts"]),
  ]
)
