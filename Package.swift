// swift-tools-version: 6.2
import PackageDescription

/// Every target is built with these: the rules of the house, enforced by the compiler.
let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableExperimentalFeature("Lifetimes"),
  .strictMemorySafety(),
]

let package = Package(
  name: "PathMonitor",
  products: [
    .library(name: "Connectivity", targets: ["Connectivity"]),
    .executable(name: "pathctl", targets: ["pathctl"]),
  ],
  targets: [
    // Inside out: a target may import only what its list names; the build checks it.
    .target(name: "PathModel", swiftSettings: strict),
    .target(name: "JSON", swiftSettings: strict),
    .target(name: "PathCoding", dependencies: ["PathModel", "JSON"], swiftSettings: strict),
    .systemLibrary(name: "CNetlink", pkgConfig: "libnl-3.0", providers: [.apt(["libnl-3-dev"])]),
    .target(name: "CLinux"),
    .target(name: "SystemIO", dependencies: ["CLinux"], swiftSettings: strict),
    .target(name: "KernelPath", dependencies: ["PathModel", "SystemIO", "CNetlink"], swiftSettings: strict),
    .target(name: "PathEngine", dependencies: ["KernelPath", "PathModel", "SystemIO"], swiftSettings: strict),
    .target(
      name: "PathControl", dependencies: ["PathEngine", "PathCoding", "PathModel", "KernelPath", "SystemIO", "JSON"],
      swiftSettings: strict),
    .target(
      name: "Connectivity", dependencies: ["PathEngine", "PathModel", "KernelPath", "SystemIO"],
      swiftSettings: strict),
    .executableTarget(name: "pathctl", dependencies: ["PathControl"], swiftSettings: strict),
    .executableTarget(
      name: "evaluation-benchmark", dependencies: ["KernelPath", "PathModel", "SystemIO"],
      path: "Benchmarks/evaluation", swiftSettings: strict),

    .testTarget(name: "PathModelTests", dependencies: ["PathModel", "PathTestSupport"], swiftSettings: strict),
    .testTarget(
      name: "ScenarioTests", dependencies: ["PathModel", "PathTestSupport", "KernelPath", "SystemIO"],
      swiftSettings: strict),
    .testTarget(name: "JSONTests", dependencies: ["JSON"], swiftSettings: strict),
    .testTarget(name: "PathCodingTests", dependencies: ["PathCoding", "PathModel", "JSON"], swiftSettings: strict),
    .testTarget(name: "SystemIOTests", dependencies: ["SystemIO", "CLinux"], swiftSettings: strict),
    .target(
      name: "KernelTestSupport", dependencies: ["KernelPath", "PathModel", "PathTestSupport", "SystemIO", "CNetlink"],
      path: "Tests/KernelPathTests/Support", swiftSettings: strict),
    .testTarget(
      name: "KernelPathTests",
      dependencies: ["KernelPath", "KernelTestSupport", "PathModel", "PathTestSupport", "SystemIO", "CNetlink"],
      exclude: ["Support"], swiftSettings: strict),
    .testTarget(
      name: "PathEngineTests",
      dependencies: ["PathEngine", "KernelPath", "KernelTestSupport", "PathModel", "PathTestSupport", "SystemIO"],
      swiftSettings: strict),
    .testTarget(
      name: "PathControlTests",
      dependencies: ["PathControl", "PathCoding", "PathEngine", "PathModel", "JSON", "SystemIO", "pathctl"],
      swiftSettings: strict),
    .testTarget(
      name: "PathCaseTests", dependencies: ["JSON", "pathctl"], resources: [.embedInCode("path-cases.json")],
      swiftSettings: strict),
    .testTarget(
      name: "ConnectivityTests", dependencies: ["Connectivity", "PathModel", "SystemIO"], swiftSettings: strict),
    .target(
      name: "PathTestSupport", dependencies: ["PathModel"], path: "Tests/Support/PathTestSupport",
      swiftSettings: strict),
  ]
)
