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
    "HTTPCaching", "IconDrawing", "JSON", "MediaHeaders", "MediaTranscoder", "MediaTypes", "NotificationModel",
    "NotificationProcessor", "PayloadLint", "Primitives", "ProgressiveJPEG", "TranscodeProtocol", "WebURL",
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
let foundation: [Target.Dependency] = ["JSON", "LinuxIO", "MediaTypes", "NotificationModel", "Primitives", "WebURL"]

/// A target of Swift code with the settings of this package. Its folder has its name.
/// - Parameters:
///   - folder: The folder of the target's folder.
///   - handlesC: Whether the target owns C handles. Every unsafe expression must then be marked as unsafe.
///   - base: Dependencies that are not repeated for each target.
func library(
    _ name: String, in folder: String = "Sources", handlesC: Bool = false, resources: [Resource]? = nil,
    base: [Target.Dependency] = foundation, _ dependencies: Target.Dependency...
) -> Target {
    .target(
        name: name, dependencies: base + dependencies, path: "\(folder)/\(name)", resources: resources,
        swiftSettings: settings(of: name) + (handlesC ? [.strictMemorySafety()] : []))
}
/// A library that does not depend on the foundation: a part of it, or code without I/O.
func leaf(_ name: String, handlesC: Bool = false, _ dependencies: Target.Dependency...) -> Target {
    library(name, handlesC: handlesC, base: dependencies)
}
func program(
    _ name: String, in folder: String = "Sources", exclude: [String] = [], _ dependencies: Target.Dependency...
) -> Target {
    .executableTarget(
        name: name, dependencies: foundation + dependencies, path: "\(folder)/\(name)", exclude: exclude,
        swiftSettings: commonSettings, linkerSettings: programLinkerSettings)
}
/// The tests of the target `subject`. `end-with-parent` starts their servers.
func tests(_ subject: String, _ dependencies: Target.Dependency...) -> Target {
    .testTarget(
        name: "\(subject)Tests", dependencies: foundation + ["TestSupport", "end-with-parent"] + dependencies,
        exclude: excludedFiles(in: "Tests/\(subject)Tests"), swiftSettings: commonSettings)
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
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-collections", exact: "1.6.0"),
        .package(url: "https://github.com/apple/swift-http-types", exact: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", exact: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", exact: "1.35.2"),
        .package(url: "https://github.com/apple/swift-nio-http2", exact: "1.46.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", exact: "2.37.6"),
        .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1", traits: []),
        .package(url: "https://github.com/jpsim/Yams", exact: "6.2.2"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
    ])
// A target imports only targets that stand above it (scripts/check-targets).
package.targets = [
    // The C libraries, each with the name of its Debian package.
    .target(name: "CLinuxShims"), .target(name: "CVirtualTime"),
    systemLibrary("CXXHash", "libxxhash-dev"),  // Its functions are compiled into the program.
    systemLibrary("COpenSSL", pkgConfig: "openssl", "libssl-dev"),
    systemLibrary("CSeccomp", pkgConfig: "libseccomp", "libseccomp-dev"),
    systemLibrary("CCares", pkgConfig: "libcares", "libc-ares-dev"),
    systemLibrary("CCurl", pkgConfig: "libcurl", "libcurl4-openssl-dev"),
    systemLibrary(
        "CFFmpeg", pkgConfig: "libavformat libavcodec libswresample libswscale libavutil", "libavformat-dev",
        "libavcodec-dev", "libswresample-dev", "libswscale-dev", "libavutil-dev"),
    systemLibrary("CTIFF", pkgConfig: "libtiff-4", "libtiff-dev"),
    systemLibrary("CTurboJPEG", pkgConfig: "libturbojpeg", "libturbojpeg0-dev"),
    systemLibrary("CLittleCMS", pkgConfig: "lcms2", "liblcms2-dev"),
    systemLibrary("CWebPDemux", pkgConfig: "libwebpdemux", "libwebp-dev"),
    systemLibrary("CZlib", pkgConfig: "zlib", "zlib1g-dev"),
    // Foundation: waiters and instants, JSON, URLs, media formats, values and ports of notifications, the kernel.
    leaf("Primitives", "CLinuxShims", deques),
    leaf("JSON"), leaf("WebURL"), leaf("MediaTypes"),
    leaf("LinuxIO", handlesC: true, "CLinuxShims", "CXXHash", "Primitives", "WebURL", deques, heaps),
    leaf("NotificationModel", "JSON", "LinuxIO", "MediaTypes", "Primitives", "WebURL"),
    leaf("Digests", handlesC: true, "COpenSSL", "Primitives"),
    library("Authentication", handlesC: true, "COpenSSL", "Digests"),
    leaf("SQLiteFiles", "LinuxIO", sqlite, product("GRDBSQLite", "GRDB.swift")),
    leaf("TranscodeProtocol", "MediaTypes"),
    leaf("MediaHeaders", "MediaTypes"),
    // Core: payloads and their notifications, and the checks of payloads before they are sent.
    library("NotificationProcessor", "Authentication", "MediaHeaders"),
    library("PayloadLint", "NotificationProcessor"),
    // Requests: each is accepted and emitted once, through one coordinator, from files and from calls.
    library("RequestJournal", "Digests", "SQLiteFiles", sqlite),
    library("RequestCoordinator", "Digests", logging, metrics, serviceLifecycle),
    library("Batches", "Digests", deques, logging, serviceLifecycle),
    library("Callbacks", "Authentication", logging, metrics),
    library("Spool", deques, logging, serviceLifecycle),
    library(
        "HTTPAPI", base: foundation + nioExtras, "Authentication", "Digests", httpTypes, hummingbirdCore, logging,
        metrics, nioCore, nioHTTP1, nioHTTP2, nioPosix, nioSSL, serviceLifecycle),
    // Fetching: HTTP caching (RFC 9111) without I/O of its own, its store, names, and transfers.
    leaf("HTTPCaching", "LinuxIO", "NotificationModel", "Primitives", "WebURL", httpTypes),
    library("HTTPCacheStore", "HTTPCaching", "SQLiteFiles", httpTypes, sqlite),
    library("NameResolution", handlesC: true, "CCares"),
    library(
        "MediaFetcher", handlesC: true, "CCurl", "COpenSSL", "CZlib", "Digests", "HTTPCaching", "MediaHeaders",
        "NameResolution", deques, httpTypes),
    // Transcoding: decoders without I/O, the sandbox of a worker, the pool of workers, and the work of one.
    leaf("IconDrawing", "MediaHeaders"),
    leaf("ProgressiveJPEG", "MediaHeaders"),
    library("Sandbox", handlesC: true, "CLinuxShims", "CSeccomp"),
    library("TranscodePool", "Digests", "MediaHeaders", "Sandbox", "TranscodeProtocol"),
    library(
        "MediaTranscoder", handlesC: true, "CFFmpeg", "CLittleCMS", "CTIFF", "CTurboJPEG", "CWebPDemux", "CZlib",
        "IconDrawing", "MediaHeaders", "ProgressiveJPEG", "TranscodeProtocol"),
    // The app group container, tools for all stores, and batches of media that are prepared before they are sent.
    library("AppGroupStore", "Digests", "SQLiteFiles", heaps, sqlite),
    library(
        "StoreTools", "AppGroupStore", "CZlib", "Digests", "HTTPCacheStore", "HTTPCaching", "SQLiteFiles", httpTypes,
        logging, sqlite),
    library("Warming", "Digests", deques),
    // Service: the configuration, the log, the metrics, and the recordings of failed requests.
    library("ServiceConfiguration", "Authentication", "TranscodeProtocol", yams),
    library("Telemetry", logging, metrics),
    library("Recordings", "Digests", "Telemetry", logging),
    // The parts of programs: their commands, the stages that they connect, and the origin of the laboratory.
    library("CommandSupport", "Telemetry", argumentParser),
    library(
        "Composition", "AppGroupStore", "Authentication", "CommandSupport", "HTTPAPI", "HTTPCacheStore", "HTTPCaching",
        "MediaFetcher", "NameResolution", "NotificationProcessor", "Sandbox", "ServiceConfiguration", "TranscodePool",
        "TranscodeProtocol"),
    library(
        "Diagnostics", "AppGroupStore", "Authentication", "CommandSupport", "Composition", "HTTPAPI", "MediaFetcher",
        "NameResolution", "RequestJournal", "SQLiteFiles", "Sandbox", "ServiceConfiguration"),
    leaf("OriginFaults", "NotificationModel", "WebURL"),
    library("Lab", "COpenSSL", "HTTPCaching", "OriginFaults", httpTypes, nioCore, nioHTTP1, nioPosix, nioSSL),
    library(
        "Scenarios", resources: [.embedInCode("Samples/Files")], "CVirtualTime", "CommandSupport", "Composition", "Lab",
        "MediaFetcher", "NameResolution",
        "NotificationProcessor", "OriginFaults", "Recordings", "ServiceConfiguration", yams),
    library("LabCommands", "CommandSupport", "MediaFetcher", "OriginFaults", "ServiceConfiguration", argumentParser),
    // Programs. The worker links FFmpeg, and neither the network nor the store. The daemon links no laboratory.
    program(
        "appgroupd", "AppGroupStore", "Authentication", "Batches", "Callbacks", "CommandSupport", "Composition",
        "Diagnostics", "Digests", "HTTPAPI", "HTTPCacheStore", "HTTPCaching", "LabCommands", "MediaFetcher",
        "MediaHeaders", "NotificationProcessor", "PayloadLint", "Recordings", "RequestCoordinator", "RequestJournal",
        "Sandbox", "ServiceConfiguration", "Spool", "StoreTools", "Telemetry", "TranscodePool", "Warming",
        argumentParser, httpTypes, logging, metrics, serviceLifecycle),
    program(
        "appgroupd-lab", "AppGroupStore", "CommandSupport", "Composition", "HTTPCacheStore", "HTTPCaching", "Lab",
        "LabCommands", "MediaFetcher", "NotificationProcessor", "Recordings", "RequestCoordinator", "RequestJournal",
        "Scenarios", "ServiceConfiguration", argumentParser, logging),
    program("appgroupd-transcode", "MediaTranscoder", "Sandbox", "TranscodeProtocol"),
    // Benchmarks (Benchmarks/RESULTS.md). Each compares this project with a peer in one run.
    library("BenchProcess", in: "Benchmarks"),
    library("BenchReport", in: "Benchmarks"),
    library("ImageQuality", in: "Benchmarks"),
    library("FetchWork", in: "Benchmarks", "BenchProcess", "HTTPCaching", "MediaFetcher"),
    program("fetch-bench-worker", in: "Benchmarks", "BenchProcess", "FetchWork"),
    program(
        "fetch-bench", in: "Benchmarks", "AppGroupStore", "BenchProcess", "BenchReport", "FetchWork", "HTTPCacheStore",
        "MediaFetcher", "NotificationProcessor", "TranscodePool", "fetch-bench-worker"),
    program(
        "media-bench", in: "Benchmarks", exclude: ["Peers"], "BenchProcess", "BenchReport", "ImageQuality",
        "MediaHeaders", "MediaTranscoder", "Sandbox", "TranscodeProtocol"),
    program("media-corpus", in: "Benchmarks", "BenchProcess", "ImageQuality", "TranscodePool", argumentParser),
    // The parts of tests. `escaping-worker` makes the calls that its sandbox forbids.
    .executableTarget(name: "end-with-parent", path: "Tests/end-with-parent"),
    .target(name: "EscapeCalls", path: "Tests/EscapeCalls"),
    program("escaping-worker", in: "Tests", "EscapeCalls", "MediaTranscoder", "Sandbox", "TranscodeProtocol"),
    library("TestSupport", in: "Tests", "BenchProcess", "COpenSSL", "HTTPCaching", "MediaHeaders"),
    library(
        "FuzzBodies", in: "FuzzTesting", "Authentication", "HTTPCaching", "IconDrawing", "MediaFetcher", "MediaHeaders",
        "MediaTranscoder", "NotificationProcessor", "PayloadLint", "ProgressiveJPEG", "ServiceConfiguration",
        "TestSupport", "TranscodeProtocol", httpTypes),
    // Tests. `SystemTests` are the tests of the whole programs.
    tests("Fuzz", "FuzzBodies"),
    tests("Digests", "Digests"),
    tests("Authentication", "Authentication", "COpenSSL"),
    tests("MediaHeaders", "IconDrawing", "MediaHeaders"),
    tests(
        "MediaFetcher", "CCurl", "Digests", "HTTPCaching", "Lab", "MediaFetcher", "MediaHeaders", "NameResolution",
        httpTypes),
    tests("HTTPCaching", "HTTPCaching", httpTypes),
    tests("NameResolution", "NameResolution"),
    tests(
        "MediaTranscoder", "CFFmpeg", "CTurboJPEG", "MediaHeaders", "MediaTranscoder", "ProgressiveJPEG",
        "TranscodePool", "TranscodeProtocol"),
    tests("ProgressiveJPEG", "MediaHeaders", "ProgressiveJPEG"),
    tests(
        "TranscodePool", "CFFmpeg", "EscapeCalls", "ImageQuality", "MediaHeaders", "MediaTranscoder", "Sandbox",
        "TranscodePool", "TranscodeProtocol", "appgroupd-transcode", "escaping-worker"),
    tests(
        "AppGroupStore", "AppGroupStore", "HTTPCacheStore", "HTTPCaching", "RequestJournal", "SQLiteFiles",
        "StoreTools", httpTypes, sqlite),
    tests("Processor", "Authentication", "NotificationProcessor", "PayloadLint"),
    tests("PayloadLint", "NotificationProcessor", "PayloadLint"),
    tests("Warming", "Warming"),
    tests("Batches", "Batches", logging, serviceLifecycle),
    tests("Callbacks", "Authentication", "Callbacks", logging),
    tests("ServiceConfiguration", "Authentication", "ServiceConfiguration"),
    tests("Telemetry", "Telemetry", logging, metrics),
    tests("Recordings", "Recordings", logging),
    tests(
        "HTTPAPI", "Authentication", "HTTPAPI", httpTypes, hummingbirdCore, logging, nioCore, nioHTTP1, nioPosix,
        nioSSL, serviceLifecycle),
    tests(
        "Request", "RequestCoordinator", "Spool", logging, serviceLifecycle,
        product("ServiceLifecycleTestKit", "swift-service-lifecycle")),
    tests("Lab", "HTTPCaching", "Lab", "OriginFaults", "Scenarios", httpTypes, nioCore, nioHTTP1, nioPosix),
    tests(
        "System", "AppGroupStore", "Authentication", "CommandSupport", "Composition", "Diagnostics", "HTTPAPI", "Lab",
        "NotificationProcessor", "PayloadLint", "RequestJournal", "ServiceConfiguration", "StoreTools", "Warming",
        "appgroupd", "appgroupd-lab", "appgroupd-transcode", "escaping-worker", argumentParser, logging,
        sqlite),
]
package.targets += ["LinuxIO", "MediaTypes", "NotificationModel", "Primitives", "WebURL"].map { tests($0) }
package.targets += ["BenchReport", "ImageQuality", "Sandbox", "TranscodeProtocol"].map { tests($0, .byName(name: $0)) }
/// `APPGROUPD_FUZZ=1` adds the program that `make fuzz` builds with sanitizers (scripts/fuzz).
if Context.environment["APPGROUPD_FUZZ"] == "1" {
    package.targets += [
        .systemLibrary(name: "CLibFuzzer", path: "FuzzTesting/CLibFuzzer"),
        program("fuzz", in: "FuzzTesting", "CLibFuzzer", "FuzzBodies"),
    ]
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
