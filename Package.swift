// swift-tools-version: 6.2
import PackageDescription

/// The settings of all targets: Swift 6 mode, explicit imports and isolation, and warnings as errors.
let commonSettings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
]
/// CPU-bound targets are optimized in debug builds as well: their tests with thousands of inputs take a tenth of the time.
let computingTargets: Set = [
    "Base", "HTTPCaching", "MediaHeaders", "MediaTranscoder", "NotificationModel", "NotificationProcessor",
    "PayloadLint", "TranscodeProtocol",
]
/// Returns the settings of a target with a name.
func settings(of target: String) -> [SwiftSetting] {
    commonSettings
        + (computingTargets.contains(target) ? [.unsafeFlags(["-O"], .when(configuration: .debug))] : [])
}
/// Release programs bind the functions of libraries at the start, in a table that is read-only afterwards (full RELRO).
let programLinkerSettings: [LinkerSetting] = [
    .unsafeFlags(
        ["-Xlinker", "-z", "-Xlinker", "now", "-Xlinker", "-z", "-Xlinker", "relro"], .when(configuration: .release))
]
/// The targets on which most others depend.
let foundationNames = ["Base", "LinuxIO", "NotificationModel"]
let foundation = foundationNames.map { Target.Dependency.byName(name: $0) }

/// A target of Swift code with the settings of this package.
/// - Parameters:
///   - handlesC: Whether the target owns C handles. Every unsafe expression must then be marked as unsafe.
///   - base: Dependencies that are not repeated for each target.
func library(
    _ name: String, handlesC: Bool = false, resources: [Resource]? = nil, base: [Target.Dependency] = foundation,
    _ dependencies: Target.Dependency...
) -> Target {
    .target(
        name: name, dependencies: base + dependencies, resources: resources,
        swiftSettings: settings(of: name) + (handlesC ? [.strictMemorySafety()] : []))
}
/// A library that does not depend on the foundation: a part of it, or code without I/O.
func leaf(_ name: String, handlesC: Bool = false, _ dependencies: Target.Dependency...) -> Target {
    library(name, handlesC: handlesC, base: dependencies)
}
/// A feature. The parts of the daemon with which features work are not repeated for each of them.
func feature(_ name: String, _ dependencies: Target.Dependency...) -> Target {
    library(
        name,
        base: foundation + [
            "Authentication", "CommandSupport", "Composition", "FeatureKit", "HTTPAPI", "RequestJournal",
            "ServiceConfiguration", "Telemetry", argumentParser, httpTypes, logging, serviceLifecycle,
        ] + dependencies)
}
func program(_ name: String, exclude: [String] = [], _ dependencies: Target.Dependency...) -> Target {
    .executableTarget(
        name: name, dependencies: foundation + dependencies, exclude: exclude, swiftSettings: commonSettings,
        linkerSettings: programLinkerSettings)
}
/// The tests of `subject`, which may be a target. `end-with-parent` starts their servers.
@MainActor func tests(_ subject: String, _ dependencies: Target.Dependency...) -> Target {
    let isTarget = package.targets.contains { $0.name == subject && !foundationNames.contains(subject) }
    return .testTarget(
        name: "\(subject)Tests",
        dependencies: foundation + (isTarget ? [.byName(name: subject)] : []) + ["TestSupport", "end-with-parent"]
            + dependencies, exclude: excludedFiles(in: "Tests/\(subject)Tests"), swiftSettings: commonSettings)
}
/// Returns the files of a directory that `APPGROUPD_EXCLUDED` names. `make test` builds the tests twice, under the thread
/// sanitizer and without it, and each build leaves out the suites of the other (scripts/race-suites).
func excludedFiles(in directory: String) -> [String] {
    let excluded = Context.environment["APPGROUPD_EXCLUDED"] ?? ""
    return excluded.split(separator: " ").filter { $0.hasPrefix(directory + "/") }.map {
        String($0.dropFirst(directory.count + 1))
    }
}
/// A C library, which Debian's `packages` bring.
func systemLibrary(_ name: String, pkgConfig: String? = nil, _ packages: String...) -> Target {
    .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt(packages)])
}
func product(_ name: String, _ package: String) -> Target.Dependency { .product(name: name, package: package) }
let (argumentParser, yams) = (product("ArgumentParser", "swift-argument-parser"), product("Yams", "Yams"))
let (deques, heaps) = (product("DequeModule", "swift-collections"), product("HeapModule", "swift-collections"))
let (httpTypes, logging) = (product("HTTPTypes", "swift-http-types"), product("Logging", "swift-log"))
let (metrics, sqlite) = (product("CoreMetrics", "swift-metrics"), product("GRDB", "GRDB.swift"))
let (nioCore, nioPosix) = (product("NIOCore", "swift-nio"), product("NIOPosix", "swift-nio"))
let (nioHTTP1, nioHTTP2) = (product("NIOHTTP1", "swift-nio"), product("NIOHTTP2", "swift-nio-http2"))
let nioSSL = product("NIOSSL", "swift-nio-ssl")
let nioExtras = ["NIOExtras", "NIOHTTPTypes", "NIOHTTPTypesHTTP2"].map { product($0, "swift-nio-extras") }
let hummingbirdCore = product("HummingbirdCore", "hummingbird")
let serviceLifecycle = product("ServiceLifecycle", "swift-service-lifecycle")
let package = Package(
    name: "appgroupd",
    products: ["appgroupd", "appgroupd-lab", "appgroupd-transcode"].map { .executable(name: $0, targets: [$0]) },
    dependencies: [
        ("apple/swift-argument-parser", "1.8.2"), ("apple/swift-collections", "1.6.0"),
        ("apple/swift-http-types", "1.8.0"), ("apple/swift-log", "1.16.2"), ("apple/swift-metrics", "2.13.0"),
        ("apple/swift-nio", "2.101.2"), ("apple/swift-nio-extras", "1.35.2"), ("apple/swift-nio-http2", "1.46.0"),
        ("apple/swift-nio-ssl", "2.37.6"), ("groue/GRDB.swift", "7.10.0"), ("jpsim/Yams", "6.2.2"),
        ("swift-server/swift-service-lifecycle", "2.13.0"),
    ].map { .package(url: "https://github.com/\($0)", exact: $1) } + [
        .package(url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1", traits: [])
    ])
// The directories with their targets. A target imports only targets that stand above it (scripts/check-targets). The C
// libraries are those of Debian.
let house: KeyValuePairs<String, [Target]> = [
    "Sources/Base": [
        .target(name: "CLinuxShims"),
        systemLibrary("COpenSSL", pkgConfig: "openssl", "libssl-dev"),
        systemLibrary("CXXHash", "libxxhash-dev"),  // Its functions are compiled into the program.
        systemLibrary("CZlib", pkgConfig: "zlib", "zlib1g-dev"),
        leaf("Base", "CLinuxShims", deques),
        leaf("LinuxIO", handlesC: true, "Base", "CLinuxShims", "CXXHash", deques, heaps),
        leaf("Digests", handlesC: true, "Base", "COpenSSL"),
        leaf("MediaHeaders", "Base"),
        leaf("SQLiteFiles", "LinuxIO", sqlite, product("GRDBSQLite", "GRDB.swift")),
    ],
    "Sources/Notifications": [
        leaf("NotificationModel", "Base", "LinuxIO"),
        library("Authentication", handlesC: true, "COpenSSL", "Digests"),
    ],
    "Sources": [library("NotificationProcessor", "Authentication", "MediaHeaders")],
    "Sources/Notifications": [library("PayloadLint", "NotificationProcessor")],
    "Sources/Fetching": [
        systemLibrary("CCares", pkgConfig: "libcares", "libc-ares-dev"),
        systemLibrary("CCurl", pkgConfig: "libcurl", "libcurl4-openssl-dev"),
        library("HTTPCaching", "SQLiteFiles", httpTypes, sqlite),
    ],
    "Sources": [
        library(
            "MediaFetcher", handlesC: true, "CCares", "CCurl", "COpenSSL", "CZlib", "Digests", "HTTPCaching",
            "MediaHeaders", deques, httpTypes)
    ],
    "Sources/Transcoding": [
        systemLibrary(
            "CFFmpeg", pkgConfig: "libavformat libavcodec libswresample libswscale libavutil", "libavformat-dev",
            "libavcodec-dev", "libswresample-dev", "libswscale-dev", "libavutil-dev"),
        systemLibrary("CLittleCMS", pkgConfig: "lcms2", "liblcms2-dev"),
        systemLibrary("CSeccomp", pkgConfig: "libseccomp", "libseccomp-dev"),
        systemLibrary("CTIFF", pkgConfig: "libtiff-4", "libtiff-dev"),
        systemLibrary("CTurboJPEG", pkgConfig: "libturbojpeg", "libturbojpeg0-dev"),
        systemLibrary("CWebPDemux", pkgConfig: "libwebpdemux", "libwebp-dev"),
        leaf("TranscodeProtocol", "Base"),
        library("Sandbox", handlesC: true, "CLinuxShims", "CSeccomp"),
        library("TranscodePool", "Digests", "MediaHeaders", "Sandbox", "TranscodeProtocol"),
        library(
            "MediaTranscoder", handlesC: true, "CFFmpeg", "CLittleCMS", "CTIFF", "CTurboJPEG", "CWebPDemux", "CZlib",
            "MediaHeaders", "TranscodeProtocol"),
    ],
    "Sources/Container": [
        library("AppGroupStore", "Digests", "SQLiteFiles", heaps, sqlite),
        library("StoreTools", "AppGroupStore", "CZlib", "Digests", "HTTPCaching", "SQLiteFiles", httpTypes, sqlite),
    ],
    "Sources/Requests": [
        library("RequestJournal", "Digests", "SQLiteFiles", sqlite),
        library("RequestCoordinator", "Digests", deques, logging, metrics, serviceLifecycle),
    ],
    "Sources/Service": [
        library("ServiceConfiguration", "Authentication", "TranscodeProtocol", yams),
        library("Telemetry", logging, metrics),
        library(
            "HTTPAPI", base: foundation + nioExtras, "Authentication", "Digests", httpTypes, hummingbirdCore, logging,
            metrics, nioCore, nioHTTP1, nioHTTP2, nioPosix, nioSSL, serviceLifecycle),
    ],
    "Sources/Laboratory": [leaf("OriginFaults", "NotificationModel")],
    "Sources/Service": [
        library("CommandSupport", "MediaFetcher", "OriginFaults", "ServiceConfiguration", "Telemetry", argumentParser),
        library(
            "Composition", "AppGroupStore", "Authentication", "CommandSupport", "HTTPAPI", "HTTPCaching",
            "MediaFetcher", "NotificationProcessor", "Sandbox", "ServiceConfiguration", "TranscodePool",
            "TranscodeProtocol"),
        library(
            "FeatureKit", "CommandSupport", "Composition", "HTTPAPI", "NotificationProcessor", "RequestCoordinator",
            "RequestJournal", "ServiceConfiguration", "Telemetry", argumentParser, logging, serviceLifecycle),
    ],
    "Sources/Features": [
        feature("Messages", "RequestCoordinator", "SQLiteFiles", sqlite),
        feature(
            "Receivers", "Digests", "Messages", "NotificationProcessor", "RequestCoordinator", "SQLiteFiles", metrics,
            sqlite),
        feature("Callbacks", "HTTPCaching", "MediaFetcher", "Receivers", "SQLiteFiles", metrics, sqlite),
        feature("Downloads", hummingbirdCore, nioCore),
        feature("Erasure", "Receivers", "SQLiteFiles", sqlite),
        feature(
            "Batches", "AppGroupStore", "Digests", "NotificationProcessor", "PayloadLint", "RequestCoordinator", deques),
        feature("Matrix", "Digests", "Receivers", "RequestCoordinator", metrics),
        library("Recordings", "CommandSupport", "Digests", "ServiceConfiguration", "Telemetry", logging),
    ],
    // The worker links FFmpeg, and neither the network nor the store.
    "Sources/Programs": [program("appgroupd-transcode", "MediaTranscoder", "Sandbox", "TranscodeProtocol")],
    // The daemon links no laboratory.
    "Sources": [
        program(
            "appgroupd", "AppGroupStore", "Authentication", "Batches", "Callbacks", "CommandSupport", "Composition",
            "Digests", "Downloads", "Erasure", "FeatureKit", "HTTPAPI", "HTTPCaching", "Matrix", "MediaFetcher",
            "MediaHeaders", "Messages", "NotificationProcessor", "PayloadLint", "Receivers", "Recordings",
            "RequestCoordinator",
            "RequestJournal", "SQLiteFiles", "Sandbox", "ServiceConfiguration", "StoreTools", "Telemetry",
            "TranscodePool", argumentParser, logging, metrics, serviceLifecycle)
    ],
    "Sources/Laboratory": [
        .target(name: "CVirtualTime"),
        library("Lab", "COpenSSL", "HTTPCaching", "OriginFaults", httpTypes, nioCore, nioHTTP1, nioPosix, nioSSL),
        library(
            "Scenarios", resources: [.embedInCode("Samples/Files")], "CVirtualTime", "CommandSupport", "Composition",
            "Lab", "MediaFetcher", "NotificationProcessor", "OriginFaults", "Recordings", "ServiceConfiguration", yams),
        program(
            "appgroupd-lab", "AppGroupStore", "Callbacks", "CommandSupport", "Composition", "Erasure", "HTTPCaching",
            "Lab", "MediaFetcher", "Messages", "NotificationProcessor", "Receivers", "Recordings", "RequestCoordinator",
            "RequestJournal", "Scenarios", "ServiceConfiguration", argumentParser, logging),
    ],
    // Benchmarks (Benchmarks/RESULTS.md). Each compares this project with a peer in one run.
    "Benchmarks": [
        library("BenchProcess"),
        leaf("BenchReport", "LinuxIO", "NotificationModel"),
        library("ImageQuality"),
        library("FetchWork", "BenchProcess", "HTTPCaching", "MediaFetcher"),
        program("fetch-bench-worker", "BenchProcess", "FetchWork"),
        program(
            "fetch-bench", "AppGroupStore", "BenchProcess", "BenchReport", "FetchWork", "HTTPCaching", "MediaFetcher",
            "NotificationProcessor", "TranscodePool", "fetch-bench-worker"),
        program(
            "media-bench", exclude: ["Peers"], "BenchProcess", "BenchReport", "ImageQuality", "MediaHeaders",
            "MediaTranscoder", "Sandbox", "TranscodeProtocol"),
        program("media-corpus", "BenchProcess", "ImageQuality", "TranscodePool", argumentParser),
    ],
    // The parts of tests. `escaping-worker` makes the calls that its sandbox forbids.
    "Tests": [
        .executableTarget(name: "end-with-parent"),
        .target(name: "EscapeCalls"),
        program("escaping-worker", "EscapeCalls", "MediaTranscoder", "Sandbox", "TranscodeProtocol"),
        library("TestSupport", "BenchProcess", "COpenSSL", "HTTPCaching", "MediaHeaders"),
    ],
    "FuzzTesting": [
        library(
            "FuzzBodies", "Authentication", "HTTPCaching", "MediaFetcher", "MediaHeaders", "MediaTranscoder",
            "NotificationProcessor", "PayloadLint", "ServiceConfiguration", "TestSupport", "TranscodeProtocol",
            httpTypes)
    ],
]
for (directory, targets) in house {
    for target in targets { target.path = "\(directory)/\(target.name)" }
    package.targets += targets
}
// Tests. `SystemTests` are the tests of the whole programs.
package.targets += [
    "Base", "BenchReport", "Digests", "ImageQuality", "LinuxIO", "NotificationModel", "Sandbox", "TranscodeProtocol",
].map { tests($0) }
package.targets += [
    tests("Fuzz", "FuzzBodies"),
    tests("Authentication", "COpenSSL"),
    tests("MediaHeaders", "MediaTranscoder"),
    tests("MediaFetcher", "CCurl", "Digests", "HTTPCaching", "Lab", "MediaHeaders", httpTypes),
    tests("HTTPCaching", httpTypes),
    tests("MediaTranscoder", "CFFmpeg", "CTurboJPEG", "MediaHeaders", "TranscodePool", "TranscodeProtocol"),
    tests(
        "TranscodePool", "CFFmpeg", "EscapeCalls", "ImageQuality", "MediaHeaders", "MediaTranscoder", "Sandbox",
        "TranscodeProtocol", "appgroupd-transcode", "escaping-worker"),
    tests(
        "AppGroupStore", "Callbacks", "Erasure", "HTTPCaching", "Messages", "Receivers", "RequestJournal",
        "SQLiteFiles", "StoreTools", httpTypes, sqlite),
    tests("Processor", "Authentication", "NotificationProcessor", "PayloadLint"),
    tests("PayloadLint", "NotificationProcessor"),
    tests("Batches", logging, serviceLifecycle),
    tests("Callbacks", "Authentication", logging),
    tests("ServiceConfiguration", "Authentication"),
    tests("Telemetry", logging, metrics),
    tests("Recordings", logging),
    tests(
        "HTTPAPI", "Authentication", "Batches", "Callbacks", "Downloads", "Erasure", "Matrix", "Messages", "Receivers",
        httpTypes,
        hummingbirdCore, logging, nioCore, nioHTTP1, nioPosix, nioSSL, serviceLifecycle),
    tests(
        "Request", "Messages", "Receivers", "RequestCoordinator", logging, serviceLifecycle,
        product("ServiceLifecycleTestKit", "swift-service-lifecycle")),
    tests("Lab", "HTTPCaching", "OriginFaults", "Scenarios", httpTypes, nioCore, nioHTTP1, nioPosix),
    tests(
        "System", "AppGroupStore", "Authentication", "Batches", "CommandSupport", "Composition", "FeatureKit",
        "HTTPAPI", "Lab", "NotificationProcessor", "PayloadLint", "RequestJournal", "ServiceConfiguration",
        "StoreTools", "appgroupd", "appgroupd-lab", "appgroupd-transcode", "escaping-worker", argumentParser, logging,
        sqlite),
]
/// `APPGROUPD_FUZZ=1` adds the program that `make fuzz` builds with sanitizers (scripts/fuzz).
if Context.environment["APPGROUPD_FUZZ"] == "1" {
    package.targets += [
        .systemLibrary(name: "CLibFuzzer", path: "FuzzTesting/CLibFuzzer"), program("fuzz", "CLibFuzzer", "FuzzBodies"),
    ]
    package.targets.last?.path = "FuzzTesting/fuzz"
}
/// `APPGROUPD_TESTS` names the test targets that are built, with the targets on which they depend (`make test-races`, `make test-changed`).
if let names = Context.environment["APPGROUPD_TESTS"] {
    var kept = Set(names.split(separator: " ").map(String.init))
    for target in package.targets.reversed() where kept.contains(target.name) {
        for case .byNameItem(let name, _) in target.dependencies { kept.insert(name) }
    }
    package.targets.removeAll { !kept.contains($0.name) }
    package.products = []
}
