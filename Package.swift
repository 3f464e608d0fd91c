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
  // For ErrorHandling, which is of no platform. Everything else needs Linux.
  platforms: [.macOS(.v26), .iOS(.v26), .tvOS(.v26), .watchOS(.v26), .visionOS(.v26)],
  products: [
    .library(name: "Connectivity", targets: ["Connectivity"]),
    .library(name: "ConnectivityCore", targets: ["ConnectivityCore"]),
    .library(name: "Reachability", targets: ["Reachability"]),
    .library(name: "Resilience", targets: ["Resilience"]),
    .library(name: "RequestsOnPath", targets: ["RequestsOnPath"]),
    .library(name: "ConnectivityTesting", targets: ["ConnectivityTesting"]),
    .library(name: "ErrorHandling", targets: ["ErrorHandling"]),
    .executable(name: "pathctl", targets: ["pathctl"]),
    .executable(name: "pathmonitord", targets: ["pathmonitord"]),
    .executable(name: "pathmonitor-connections", targets: ["pathmonitor-connections"]),
    .executable(name: "pathmonitor-validation", targets: ["pathmonitor-validation"]),
    .executable(name: "pathmonitor-history", targets: ["pathmonitor-history"]),
  ],
  targets: [
    // Inside out. A target imports exactly the modules that its list names: scripts/check-imports compares both.
    .target(name: "PathModel", path: "Sources/Path/PathModel", swiftSettings: strict),
    .target(
      name: "PathDecisions", dependencies: ["PathModel"], path: "Sources/Path/PathDecisions",
      swiftSettings: strict),
    .target(
      name: "PathConfiguration",
      dependencies: ["PathDecisions", "PathModel", "PathEngine", "KernelPath", "SystemIO"],
      path: "Sources/Engine/PathConfiguration", swiftSettings: strict),
    .systemLibrary(
      name: "CNetlink", path: "Sources/C/CNetlink", pkgConfig: "libnl-genl-3.0",
      providers: [.apt(["libnl-3-dev", "libnl-genl-3-dev"])]),
    .target(name: "CLinux", path: "Sources/C/CLinux"),
    .target(name: "SystemIO", dependencies: ["CLinux"], path: "Sources/Engine/SystemIO", swiftSettings: strict),
    .target(
      name: "Programs", dependencies: ["PathModel", "SystemIO"], path: "Sources/Control/Programs", swiftSettings: strict
    ),
    .target(
      name: "KernelPath", dependencies: ["PathDecisions", "PathModel", "SystemIO", "CNetlink"],
      path: "Sources/Engine/KernelPath", swiftSettings: strict),
    .target(
      name: "PathEngine", dependencies: ["KernelPath", "PathDecisions", "PathModel", "SystemIO"],
      path: "Sources/Engine/PathEngine", swiftSettings: strict),
    .target(
      name: "Varlink", dependencies: ["PathModel", "SystemIO"], path: "Sources/Service/Varlink", swiftSettings: strict),
    // As CCurl and CSQLite without pkg-config: the compiler finds the headers, and builds of other products give no
    // advice to install them.
    .systemLibrary(name: "CSystemd", path: "Sources/C/CSystemd"),
    .target(
      name: "Systemd", dependencies: ["CLinux", "CSystemd"], path: "Sources/Service/Systemd", swiftSettings: strict),
    .target(
      name: "PathService",
      dependencies: [
        "PathConfiguration", "PathEngine", "PathModel", "PathDecisions", "KernelPath", "Varlink", "SystemIO",
        "Programs", "Systemd",
      ], path: "Sources/Service/PathService", resources: [.embedInCode("io.pathmonitor.PathMonitor.varlink")],
      swiftSettings: strict),
    .target(
      name: "PathFollowing",
      dependencies: ["PathConfiguration", "PathEngine", "PathModel", "KernelPath", "Varlink", "SystemIO"],
      path: "Sources/Library/PathFollowing",
      swiftSettings: strict),
    .target(
      name: "PathSubscribers",
      dependencies: ["PathConfiguration", "KernelPath", "PathModel", "Programs", "Systemd", "SystemIO"],
      path: "Sources/Service/PathSubscribers", swiftSettings: strict),
    .systemLibrary(name: "CCurl", path: "Sources/C/CCurl"),
    // The only one that links libcurl.
    .target(
      name: "Validation",
      dependencies: [
        "PathSubscribers", "PathFollowing", "PathConfiguration", "KernelPath", "PathDecisions", "PathModel", "Programs",
        "SystemIO", "CCurl",
      ],
      path: "Sources/Service/Validation", swiftSettings: strict),
    .target(
      name: "Connections",
      dependencies: [
        "PathSubscribers", "PathFollowing", "PathConfiguration", "KernelPath", "PathDecisions", "PathModel", "Programs",
        "Systemd", "SystemIO",
      ],
      path: "Sources/Service/Connections", swiftSettings: strict),
    .systemLibrary(name: "CSQLite", path: "Sources/C/CSQLite"),
    // The only one that links SQLite.
    .target(
      name: "History",
      dependencies: [
        "PathSubscribers", "PathFollowing", "PathConfiguration", "KernelPath", "PathModel", "SystemIO",
        "Programs", "Systemd", "CSQLite",
      ], path: "Sources/History/History", swiftSettings: strict),
    .target(
      name: "HistoryReport", dependencies: ["History", "Programs", "PathModel", "SystemIO"],
      path: "Sources/History/HistoryReport", swiftSettings: strict),
    .target(
      name: "PathControl",
      dependencies: [
        "Programs", "PathConfiguration", "PathFollowing", "PathEngine", "PathModel", "PathDecisions", "KernelPath",
        "SystemIO",
      ], path: "Sources/Control/PathControl",
      swiftSettings: strict),
    // All of the library that needs no Foundation, which takes long to load.
    .target(
      name: "ConnectivityCore",
      dependencies: ["PathFollowing", "PathConfiguration", "PathModel", "SystemIO"],
      path: "Sources/Library/ConnectivityCore", swiftSettings: strict),
    .target(
      name: "Connectivity", dependencies: ["ConnectivityCore", "PathModel", "SystemIO"],
      path: "Sources/Library/Connectivity", swiftSettings: strict),
    .target(
      name: "Resilience", dependencies: ["ConnectivityCore", "SystemIO"], path: "Sources/Library/Resilience",
      swiftSettings: strict),
    .target(
      name: "RequestsOnPath",
      dependencies: ["Resilience", "Connectivity", "ConnectivityCore", "ErrorHandling", "PathModel", "SystemIO"],
      path: "Sources/Library/RequestsOnPath", swiftSettings: strict),
    .target(
      name: "Reachability", dependencies: ["Connectivity", "ConnectivityCore", "SystemIO"],
      path: "Sources/Library/Reachability", swiftSettings: strict),
    .target(
      name: "ConnectivityTesting", dependencies: ["Connectivity", "ConnectivityCore", "SystemIO"],
      path: "Sources/Testing/ConnectivityTesting",
      swiftSettings: strict),
    .target(
      name: "ErrorHandling", path: "Sources/Library/ErrorHandling", swiftSettings: strict),
    .executableTarget(
      name: "pathmonitord", dependencies: ["PathService"], path: "Sources/Service/pathmonitord", swiftSettings: strict),
    .executableTarget(
      name: "pathctl", dependencies: ["PathControl"], path: "Sources/Control/pathctl", swiftSettings: strict),
    .executableTarget(
      name: "pathmonitor-history",
      dependencies: ["History", "HistoryReport", "PathModel", "PathSubscribers", "Programs", "SystemIO"],
      path: "Sources/History/pathmonitor-history", swiftSettings: strict),
    .executableTarget(
      name: "pathmonitor-validation", dependencies: ["Validation", "PathSubscribers", "Programs"],
      path: "Sources/Service/pathmonitor-validation", swiftSettings: strict),
    .executableTarget(
      name: "pathmonitor-connections", dependencies: ["Connections", "PathSubscribers", "Programs"],
      path: "Sources/Service/pathmonitor-connections", swiftSettings: strict),
    .executableTarget(
      name: "evaluation-benchmark", dependencies: ["KernelPath", "PathDecisions", "PathModel", "SystemIO"],
      path: "Benchmarks/evaluation", swiftSettings: strict),
    .executableTarget(
      name: "cost-benchmark",
      dependencies: ["PathConfiguration", "PathEngine", "KernelPath", "PathDecisions", "PathModel", "SystemIO"],
      path: "Benchmarks/cost", swiftSettings: strict),
    .executableTarget(
      name: "history-benchmark",
      dependencies: ["History", "PathConfiguration", "PathModel", "SystemIO"],
      path: "Benchmarks/history", swiftSettings: strict),
    .executableTarget(
      name: "library-benchmark", dependencies: ["Connectivity", "SystemIO"], path: "Benchmarks/library",
      swiftSettings: strict),
    .executableTarget(
      name: "error-benchmark", dependencies: ["ErrorHandling"], path: "Benchmarks/errors",
      swiftSettings: strict),
    .executableTarget(
      name: "resilience-benchmark", dependencies: ["RequestsOnPath", "ConnectivityTesting", "SystemIO"],
      path: "Benchmarks/resilience", swiftSettings: strict),

    .testTarget(
      name: "PathConfigurationTests",
      dependencies: [
        "PathConfiguration", "PathDecisions", "PathModel", "PathTestSupport", "PathEngine", "SystemIO",
        "ProcessTestSupport",
      ],
      swiftSettings: strict),
    .testTarget(name: "PathModelTests", dependencies: ["PathModel", "PathTestSupport"], swiftSettings: strict),
    .testTarget(
      name: "PathDecisionsTests", dependencies: ["PathDecisions", "PathModel", "PathTestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "ValidationTests",
      dependencies: [
        "Validation", "ConnectivityTesting", "PathConfiguration", "PathDecisions", "PathModel", "PathTestSupport",
        "SystemIO",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "ValidatorTests",
      dependencies: ["ProcessTestSupport", "PathModel", "pathctl", "pathmonitord", "pathmonitor-validation"],
      exclude: ["Servers/servers.py", "Servers/tunnel.py"], resources: [.embedInCode("situations.txt")],
      swiftSettings: strict),
    .testTarget(
      name: "ConnectionsTests",
      dependencies: ["Connections", "PathConfiguration", "PathDecisions", "PathModel", "SystemIO"],
      swiftSettings: strict),
    .testTarget(
      name: "ConnectionEndingTests",
      dependencies: ["ProcessTestSupport", "PathModel", "pathctl", "pathmonitord", "pathmonitor-connections"],
      exclude: ["Programs"], swiftSettings: strict),
    .testTarget(
      name: "HistoryTests",
      dependencies: [
        "History", "HistoryTestSupport", "PathModel", "PathTestSupport", "ProcessTestSupport",
      ], swiftSettings: strict),
    .testTarget(
      name: "RecorderTests",
      dependencies: [
        "History", "HistoryTestSupport", "PathConfiguration", "PathModel", "ProcessTestSupport", "pathmonitor-history",
        "pathmonitord", "pathctl",
      ], swiftSettings: strict),
    .testTarget(
      name: "ScenarioTests",
      dependencies: [
        "PathDecisions", "PathModel", "PathTestSupport", "ProcessTestSupport", "KernelPath", "KernelTestSupport",
      ],
      swiftSettings: strict),
    .testTarget(name: "JSONTests", dependencies: ["PathModel", "PathTestSupport"], swiftSettings: strict),
    .testTarget(
      name: "ProgramsTests", dependencies: ["Programs", "PathModel"], swiftSettings: strict),
    .testTarget(
      name: "SystemIOTests", dependencies: ["SystemIO", "ProcessTestSupport", "CLinux", "PathTestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "VarlinkTests",
      dependencies: ["Varlink", "PathModel", "SystemIO", "ProcessTestSupport", "CProcessTestSupport"],
      swiftSettings: strict),
    .target(
      name: "KernelTestSupport",
      dependencies: [
        "KernelPath", "PathDecisions", "PathModel", "PathTestSupport", "ProcessTestSupport", "SystemIO", "CNetlink",
      ],
      path: "Tests/KernelPathTests/Support", swiftSettings: strict),
    .testTarget(
      name: "KernelPathTests",
      dependencies: [
        "KernelPath", "KernelTestSupport", "PathDecisions", "PathModel", "PathTestSupport", "SystemIO",
        "ProcessTestSupport", "CNetlink",
      ],
      exclude: ["Support"], swiftSettings: strict),
    .testTarget(
      name: "PathEngineTests",
      dependencies: [
        "PathConfiguration", "PathEngine", "KernelPath", "KernelTestSupport", "PathDecisions", "PathModel",
        "PathTestSupport", "ProcessTestSupport", "SystemIO",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "PathServiceTests",
      dependencies: [
        "PathService", "PathModel", "PathEngine", "PathDecisions", "KernelPath", "KernelTestSupport", "PathTestSupport",
        "ProcessTestSupport", "Varlink", "SystemIO",
      ], exclude: ["Clients"], swiftSettings: strict),
    .testTarget(
      name: "PathControlTests",
      dependencies: [
        "PathControl", "Programs", "PathEngine", "PathDecisions", "PathModel", "SystemIO",
        "PathTestSupport",
        "ProcessTestSupport", "pathctl",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "HistoryReportTests",
      dependencies: [
        "HistoryReport", "History", "HistoryTestSupport", "Programs", "PathModel", "PathTestSupport",
        "SystemIO",
      ], swiftSettings: strict),
    .testTarget(
      name: "PathCaseTests",
      dependencies: [
        "PathDecisions", "PathModel", "PathTestSupport", "ProcessTestSupport", "pathctl", "pathmonitord",
      ],
      resources: [.embedInCode("path-cases.txt"), .embedInCode("memory-cases.txt")],
      swiftSettings: strict),
    .testTarget(
      name: "DiagnosisCaseTests",
      dependencies: [
        "PathDecisions", "PathModel", "PathTestSupport", "ProcessTestSupport", "pathctl", "pathmonitord",
      ],
      resources: [.embedInCode("diagnosis-cases.txt")],
      swiftSettings: strict),
    .testTarget(
      name: "DaemonTests", dependencies: ["ProcessTestSupport", "PathModel", "pathctl", "pathmonitord"],
      swiftSettings: strict),
    .testTarget(
      name: "ManualTests",
      dependencies: [
        "PathConfiguration", "Programs", "PathControl", "PathModel", "PathService", "ProcessTestSupport", "Varlink",
        "pathctl", "pathmonitord",
      ], swiftSettings: strict),
    .target(
      name: "HistoryTestSupport", dependencies: ["History", "PathModel"], path: "Tests/Support/HistoryTestSupport",
      swiftSettings: strict),
    .target(name: "CProcessTestSupport", path: "Tests/Support/CProcessTestSupport"),
    .target(
      name: "ProcessTestSupport", dependencies: ["CProcessTestSupport", "SystemIO"],
      path: "Tests/Support/ProcessTestSupport",
      swiftSettings: strict),
    .testTarget(
      name: "PathFollowingTests",
      dependencies: ["PathFollowing", "PathModel", "SystemIO", "ProcessTestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "ConnectivityTests",
      dependencies: [
        "Connectivity", "ConnectivityCore", "ConnectivityTesting", "RequestsOnPath", "KernelTestSupport",
        "ProcessTestSupport", "PathModel", "SystemIO", "pathmonitord", "monitor-load",
      ],
      swiftSettings: strict),
    .plugin(name: "GuideSnippets", capability: .buildTool(), path: "Tests/Support/GuideSnippets"),
    .testTarget(
      name: "GuideTests",
      dependencies: ["ConnectivityTesting", "Reachability", "RequestsOnPath", "SystemIO"],
      swiftSettings: [.swiftLanguageMode(.v6)], plugins: ["GuideSnippets"]),
    .testTarget(
      name: "ErrorHandlingTests", dependencies: ["ErrorHandling", "PathModel", "PathTestSupport", "SystemIO"],
      swiftSettings: strict),
    .executableTarget(
      name: "link-conditioner", dependencies: ["ConnectivityTesting", "SystemIO"],
      path: "Tests/Support/LinkConditioner", swiftSettings: strict),
    .testTarget(
      name: "ConnectivityTestingTests", dependencies: ["ConnectivityTesting", "SystemIO", "ProcessTestSupport"],
      swiftSettings: strict),
    .executableTarget(
      name: "request-probe", dependencies: ["RequestsOnPath"], path: "Tests/Support/RequestProbe", swiftSettings: strict
    ),
    .executableTarget(
      name: "monitor-load",
      dependencies: [
        "RequestsOnPath", "Resilience", "Connectivity", "ConnectivityCore", "ConnectivityTesting", "SystemIO",
      ],
      path: "Tests/Support/MonitorLoad", swiftSettings: strict),
    .testTarget(
      name: "ResilienceTests", dependencies: ["Resilience", "ConnectivityTesting", "SystemIO"],
      swiftSettings: strict),
    .testTarget(
      name: "RequestsOnPathTests",
      dependencies: [
        "RequestsOnPath", "ConnectivityCore", "ConnectivityTesting", "ProcessTestSupport", "SystemIO", "request-probe",
        "monitor-load", "pathctl", "pathmonitord",
      ], swiftSettings: strict),
    .executableTarget(
      name: "reachability-probe", dependencies: ["Reachability"], path: "Tests/Support/ReachabilityProbe",
      swiftSettings: [.swiftLanguageMode(.v5)]),
    .testTarget(
      name: "ReachabilityTests",
      dependencies: [
        "Reachability", "Connectivity", "ConnectivityTesting", "ProcessTestSupport", "SystemIO", "reachability-probe",
      ],
      swiftSettings: [.swiftLanguageMode(.v5)]),
    .target(
      name: "PathTestSupport", dependencies: ["PathDecisions", "PathModel"],
      path: "Tests/Support/PathTestSupport", resources: [.embedInCode("Cases/scenarios.txt")], swiftSettings: strict),
  ]
)

// The stages of `make check` build the tests that they run, and no others.
if let names = Context.environment["PATHMONITOR_TESTS"]?.split(separator: " ").map(String.init) {
  package.targets.removeAll { target in
    (target.type == .test || target.name.hasSuffix("-benchmark")) && !names.contains(target.name)
  }
}
