// swift-tools-version: 6.2
import PackageDescription

/// The settings of all targets: Swift 6 mode, explicit imports and isolation, and warnings as errors.
let commonSettings: [SwiftSetting] =
    [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]
    + words("ExistentialAny MemberImportVisibility InternalImportsByDefault NonisolatedNonsendingByDefault").map {
        .enableUpcomingFeature($0)
    }
/// CPU-bound targets are optimized in debug builds as well: their tests with thousands of inputs take a tenth of the time.
let computingTargets =
    "Base HTTPCaching MediaHeaders MediaTranscoder NotificationModel NotificationProcessor PayloadLint TranscodeProtocol"
/// Returns the settings of a target with a name.
func settings(of target: String) -> [SwiftSetting] {
    let computes = words(computingTargets).contains(target)
    return commonSettings + (computes ? [.unsafeFlags(["-O"], .when(configuration: .debug))] : [])
}
/// The targets on which most others depend.
let foundation = ["Base", "LinuxIO", "NotificationModel"]
/// The other packages, with their versions and the products that are used.
let packages: [(path: String, version: Version, products: String)] = [
    ("apple/swift-argument-parser", "1.8.2", "ArgumentParser"), ("apple/swift-log", "1.16.2", "Logging"),
    ("apple/swift-collections", "1.6.0", "DequeModule HeapModule"), ("apple/swift-http-types", "1.8.0", "HTTPTypes"),
    ("apple/swift-metrics", "2.13.0", "CoreMetrics"),
    ("apple/swift-nio", "2.101.2", "NIOCore NIOHTTP1 NIOPosix"), ("apple/swift-nio-http2", "1.46.0", "NIOHTTP2"),
    ("apple/swift-nio-extras", "1.35.2", "NIOExtras NIOHTTPTypes NIOHTTPTypesHTTP2"),
    ("apple/swift-nio-ssl", "2.37.6", "NIOSSL"), ("groue/GRDB.swift", "7.10.0", "GRDB GRDBSQLite"),
    ("hummingbird-project/hummingbird", "2.28.1", "HummingbirdCore"), ("jpsim/Yams", "6.2.2", "Yams"),
    ("swift-server/swift-service-lifecycle", "2.13.0", "ServiceLifecycle ServiceLifecycleTestKit"),
]
func words(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }
/// Returns the targets and products with the names in `lists`, which are separated by spaces.
func dependencies(_ lists: [String]) -> [Target.Dependency] {
    lists.flatMap(words).map { name in
        let package = packages.first { words($0.products).contains(name) }
        return package.map { .product(name: name, package: String($0.path.split(separator: "/")[1])) }
            ?? .byName(name: name)
    }
}
/// A target of Swift code with the settings of this package.
/// - Parameters:
///   - handlesC: Whether the target owns C handles. Every unsafe expression must then be marked as unsafe.
///   - base: Dependencies that are not repeated for each target.
func library(
    _ name: String, handlesC: Bool = false, resources: [Resource]? = nil, base: [String] = foundation,
    _ lists: String...
) -> Target {
    .target(
        name: name, dependencies: dependencies(base + lists), resources: resources,
        swiftSettings: settings(of: name) + (handlesC ? [.strictMemorySafety()] : []))
}
/// A library that does not depend on the foundation: a part of it, or code without I/O.
func leaf(_ name: String, handlesC: Bool = false, _ list: String) -> Target {
    library(name, handlesC: handlesC, base: [], list)
}
/// A release program binds the functions of libraries at the start, in a table that is read-only afterwards (full RELRO).
func program(_ name: String, exclude: [String] = [], _ lists: String...) -> Target {
    let flags = words("-Xlinker -z -Xlinker now -Xlinker -z -Xlinker relro")
    return .executableTarget(
        name: name, dependencies: dependencies(foundation + lists), exclude: exclude, swiftSettings: commonSettings,
        linkerSettings: [.unsafeFlags(flags, .when(configuration: .release))])
}
/// The tests of `subject`, which may be a target. `end-with-parent` starts their servers.
@MainActor func tests(_ subject: String, _ lists: String...) -> Target {
    let isTarget = package.targets.contains { $0.name == subject && !foundation.contains(subject) }
    return .testTarget(
        name: "\(subject)Tests",
        dependencies: dependencies(foundation + (isTarget ? [subject] : []) + ["TestSupport end-with-parent"] + lists),
        exclude: excludedFiles(in: "Tests/\(subject)Tests"), swiftSettings: commonSettings)
}
/// Returns the files of a directory that `APPGROUPD_EXCLUDED` names. `make test` builds the tests twice, under the thread
/// sanitizer and without it, and each build leaves out the suites of the other (scripts/race-suites).
func excludedFiles(in directory: String) -> [String] {
    words(Context.environment["APPGROUPD_EXCLUDED"] ?? "").filter { $0.hasPrefix(directory + "/") }.map {
        String($0.dropFirst(directory.count + 1))
    }
}
/// A C library, which Debian's `packages` bring.
func systemLibrary(_ name: String, pkgConfig: String? = nil, _ packages: String...) -> Target {
    .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt(packages)])
}
let package = Package(
    name: "appgroupd",
    products: ["appgroupd", "appgroupd-lab", "appgroupd-transcode"].map { .executable(name: $0, targets: [$0]) },
    dependencies: packages.map {
        // Hummingbird's reader of configurations is left out.
        .package(url: "https://github.com/\($0)", exact: $1, traits: $2 == "HummingbirdCore" ? [] : [.defaults])
    })
// The directories with their targets. A target imports only targets that stand above it (scripts/check-targets). The C
// libraries are those of Debian.
let house: KeyValuePairs<String, [Target]> = [
    "Sources/Base": [
        .target(name: "CLinuxShims"),
        systemLibrary("COpenSSL", pkgConfig: "openssl", "libssl-dev"),
        systemLibrary("CXXHash", "libxxhash-dev"),  // Its functions are compiled into the program.
        systemLibrary("CZlib", pkgConfig: "zlib", "zlib1g-dev"),
        leaf("Base", "CLinuxShims DequeModule"),
        leaf("LinuxIO", handlesC: true, "Base CLinuxShims CXXHash DequeModule HeapModule"),
        leaf("Digests", handlesC: true, "Base COpenSSL"),
        leaf("MediaHeaders", "Base"),
        leaf("SQLiteFiles", "LinuxIO GRDB GRDBSQLite"),
    ],
    "Sources/Notifications": [
        leaf("NotificationModel", "Base LinuxIO"),
        library("Authentication", handlesC: true, "COpenSSL Digests"),
    ],
    "Sources": [library("NotificationProcessor", "Authentication MediaHeaders")],
    "Sources/Notifications": [library("PayloadLint", "NotificationProcessor")],
    "Sources/Fetching": [
        systemLibrary("CCares", pkgConfig: "libcares", "libc-ares-dev"),
        systemLibrary("CCurl", pkgConfig: "libcurl", "libcurl4-openssl-dev"),
        library("HTTPCaching", "SQLiteFiles HTTPTypes GRDB"),
    ],
    "Sources": [
        library(
            "MediaFetcher", handlesC: true, "CCares CCurl COpenSSL CZlib Digests HTTPCaching MediaHeaders DequeModule",
            "HTTPTypes")
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
        library("Sandbox", handlesC: true, "CLinuxShims CSeccomp"),
        library("TranscodePool", "Digests MediaHeaders Sandbox TranscodeProtocol"),
        library(
            "MediaTranscoder", handlesC: true, "CFFmpeg CLittleCMS CTIFF CTurboJPEG CWebPDemux CZlib MediaHeaders",
            "TranscodeProtocol"),
    ],
    "Sources/Container": [
        library("AppGroupStore", "Digests SQLiteFiles HeapModule GRDB"),
        library("StoreTools", "AppGroupStore CZlib Digests HTTPCaching SQLiteFiles HTTPTypes GRDB"),
    ],
    "Sources/Requests": [
        library("RequestJournal", "Digests SQLiteFiles GRDB"),
        library("RequestCoordinator", "Digests DequeModule Logging CoreMetrics ServiceLifecycle"),
    ],
    "Sources/Service": [
        library("ServiceConfiguration", "Authentication TranscodeProtocol Yams"),
        library("Telemetry", "Logging CoreMetrics"),
        library(
            "HTTPAPI", "Authentication Digests HTTPTypes HummingbirdCore Logging CoreMetrics NIOCore NIOHTTP1",
            "NIOHTTP2 NIOPosix NIOSSL ServiceLifecycle NIOExtras NIOHTTPTypes NIOHTTPTypesHTTP2"),
    ],
    "Sources/Laboratory": [leaf("OriginFaults", "NotificationModel")],
    "Sources/Service": [
        library(
            "FeatureKit", "AppGroupStore Authentication HTTPAPI HTTPCaching MediaFetcher NotificationProcessor",
            "OriginFaults RequestCoordinator RequestJournal Sandbox ServiceConfiguration Telemetry TranscodePool",
            "TranscodeProtocol ArgumentParser Logging ServiceLifecycle")
    ],
    // Each feature is a directory of one target, so that it needs no line here.
    "Sources": [
        library(
            "Features", "AppGroupStore Authentication Digests FeatureKit HTTPAPI HTTPCaching MediaFetcher",
            "NotificationProcessor PayloadLint RequestCoordinator RequestJournal SQLiteFiles ServiceConfiguration",
            "Telemetry ArgumentParser DequeModule HTTPTypes HummingbirdCore Logging CoreMetrics NIOCore",
            "ServiceLifecycle GRDB")
    ],
    // The worker links FFmpeg, and neither the network nor the store.
    "Sources/Programs": [program("appgroupd-transcode", "MediaTranscoder Sandbox TranscodeProtocol")],
    // The daemon links no laboratory.
    "Sources": [
        program(
            "appgroupd", "AppGroupStore Authentication Digests FeatureKit Features HTTPAPI HTTPCaching MediaFetcher",
            "MediaHeaders NotificationProcessor PayloadLint RequestCoordinator RequestJournal SQLiteFiles Sandbox",
            "ServiceConfiguration StoreTools Telemetry TranscodePool ArgumentParser Logging CoreMetrics",
            "ServiceLifecycle")
    ],
    "Sources/Laboratory": [
        .target(name: "CVirtualTime"),
        library("Lab", "COpenSSL HTTPCaching OriginFaults HTTPTypes NIOCore NIOHTTP1 NIOPosix NIOSSL"),
        library(
            "Scenarios", resources: [.embedInCode("Samples/Files")], "CVirtualTime FeatureKit Features Lab",
            "MediaFetcher NotificationProcessor OriginFaults ServiceConfiguration Yams"),
        program(
            "appgroupd-lab", "AppGroupStore FeatureKit Features HTTPCaching Lab MediaFetcher NotificationProcessor",
            "RequestCoordinator RequestJournal Scenarios ServiceConfiguration ArgumentParser Logging"),
    ],
    // Benchmarks (Benchmarks/RESULTS.md). Each compares this project with a peer in one run.
    "Benchmarks": [
        library("BenchProcess"),
        leaf("BenchReport", "LinuxIO NotificationModel"),
        library("ImageQuality"),
        library("FetchWork", "BenchProcess HTTPCaching MediaFetcher"),
        program("fetch-bench-worker", "BenchProcess FetchWork"),
        program(
            "fetch-bench", "AppGroupStore BenchProcess BenchReport FetchWork HTTPCaching MediaFetcher",
            "NotificationProcessor TranscodePool fetch-bench-worker"),
        program(
            "media-bench", exclude: ["Peers"], "BenchProcess BenchReport ImageQuality MediaHeaders MediaTranscoder",
            "Sandbox TranscodeProtocol"),
        program("media-corpus", "BenchProcess ImageQuality TranscodePool ArgumentParser"),
    ],
    // The parts of tests. `escaping-worker` makes the calls that its sandbox forbids.
    "Tests": [
        .executableTarget(name: "end-with-parent"),
        .target(name: "EscapeCalls"),
        program("escaping-worker", "EscapeCalls MediaTranscoder Sandbox TranscodeProtocol"),
        library("TestSupport", "BenchProcess COpenSSL HTTPCaching MediaHeaders"),
    ],
    "FuzzTesting": [
        library(
            "FuzzBodies", "Authentication HTTPCaching MediaFetcher MediaHeaders MediaTranscoder NotificationProcessor",
            "PayloadLint ServiceConfiguration TestSupport TranscodeProtocol HTTPTypes")
    ],
]
for (directory, targets) in house {
    for target in targets { target.path = "\(directory)/\(target.name)" }
    package.targets += targets
}
// Tests. `SystemTests` are the tests of the whole programs.
let plainTests = "Base BenchReport Digests ImageQuality LinuxIO NotificationModel Sandbox TranscodeProtocol"
package.targets += words(plainTests).map { tests($0) }
package.targets += [
    tests("Fuzz", "FuzzBodies"),
    tests("Authentication", "COpenSSL"),
    tests("MediaHeaders", "MediaTranscoder"),
    tests("MediaFetcher", "CCurl Digests HTTPCaching Lab MediaHeaders HTTPTypes"),
    tests("HTTPCaching", "HTTPTypes"),
    tests("MediaTranscoder", "CFFmpeg CTurboJPEG MediaHeaders TranscodePool TranscodeProtocol"),
    tests(
        "TranscodePool", "CFFmpeg EscapeCalls ImageQuality MediaHeaders MediaTranscoder Sandbox TranscodeProtocol",
        "appgroupd-transcode escaping-worker"),
    tests("AppGroupStore", "Features HTTPCaching RequestJournal SQLiteFiles StoreTools HTTPTypes GRDB"),
    tests("Processor", "Authentication NotificationProcessor PayloadLint"),
    tests("PayloadLint", "NotificationProcessor"),
    tests("ServiceConfiguration", "Authentication"),
    tests("Telemetry", "Logging CoreMetrics"),
    tests("Features", "Authentication Logging ServiceLifecycle"),
    tests(
        "HTTPAPI", "Authentication Features HTTPTypes HummingbirdCore Logging NIOCore NIOHTTP1 NIOPosix NIOSSL",
        "ServiceLifecycle"),
    tests("Request", "Features RequestCoordinator Logging ServiceLifecycle ServiceLifecycleTestKit"),
    tests("Lab", "HTTPCaching OriginFaults Scenarios HTTPTypes NIOCore NIOHTTP1 NIOPosix"),
    tests(
        "System", "AppGroupStore Authentication FeatureKit Features HTTPAPI Lab NotificationProcessor PayloadLint",
        "RequestJournal ServiceConfiguration StoreTools appgroupd appgroupd-lab appgroupd-transcode escaping-worker",
        "ArgumentParser Logging GRDB"),
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
    var kept = Set(words(names))
    for target in package.targets.reversed() where kept.contains(target.name) {
        for case .byNameItem(let name, _) in target.dependencies { kept.insert(name) }
    }
    package.targets.removeAll { !kept.contains($0.name) }
    package.products = []
}
