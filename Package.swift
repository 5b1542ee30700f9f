// swift-tools-version: 6.2
import PackageDescription

/// The settings of all targets: Swift 6 mode, upcoming features that make imports and isolation explicit, and warnings
/// as errors.
let commonSettings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
]
/// Libraries are optimized in debug builds as well: tests with thousands of inputs take a tenth of the time.
let librarySettings = commonSettings + [.unsafeFlags(["-O"], .when(configuration: .debug))]
/// The linker settings of release programs (full RELRO). The functions of libraries are bound at the start, and their
/// table is read-only afterwards.
let programLinkerSettings: [LinkerSetting] = [
    .unsafeFlags(
        ["-Xlinker", "-z", "-Xlinker", "now", "-Xlinker", "-z", "-Xlinker", "relro"], .when(configuration: .release))
]

/// A target of Swift code with the settings of this package. Its folder has its name.
/// - Parameters:
///   - folder: The folder of the target's folder.
///   - handlesC: Whether the target owns C handles. Every unsafe expression must then be marked as unsafe.
func library(
    _ name: String, in folder: String = "Sources", handlesC: Bool = false, _ dependencies: [Target.Dependency] = []
) -> Target {
    .target(
        name: name, dependencies: dependencies, path: "\(folder)/\(name)",
        swiftSettings: librarySettings + (handlesC ? [.strictMemorySafety()] : []))
}
func program(
    _ name: String, in folder: String = "Sources", exclude: [String] = [], _ dependencies: [Target.Dependency]
) -> Target {
    .executableTarget(
        name: name, dependencies: dependencies, path: "\(folder)/\(name)", exclude: exclude,
        swiftSettings: commonSettings, linkerSettings: programLinkerSettings)
}
/// The tests of the target `subject`.
func tests(_ subject: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .testTarget(name: "\(subject)Tests", dependencies: dependencies, swiftSettings: commonSettings)
}
/// A C library, which Debian's `packages` bring.
func systemLibrary(_ name: String, pkgConfig: String? = nil, _ packages: String...) -> Target {
    .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt(packages)])
}

let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let deques = Target.Dependency.product(name: "DequeModule", package: "swift-collections")
let heaps = Target.Dependency.product(name: "HeapModule", package: "swift-collections")
let httpTypes = Target.Dependency.product(name: "HTTPTypes", package: "swift-http-types")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let metrics = Target.Dependency.product(name: "CoreMetrics", package: "swift-metrics")
let nioCore = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nioHTTP1 = Target.Dependency.product(name: "NIOHTTP1", package: "swift-nio")
let nioPosix = Target.Dependency.product(name: "NIOPosix", package: "swift-nio")
let hummingbirdCore = Target.Dependency.product(name: "HummingbirdCore", package: "hummingbird")
let sqlite = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let serviceLifecycle = Target.Dependency.product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let serviceLifecycleTestKit = Target.Dependency.product(
    name: "ServiceLifecycleTestKit", package: "swift-service-lifecycle")
let yams = Target.Dependency.product(name: "Yams", package: "Yams")

let package = Package(
    name: "appgroupd",
    products: [
        .executable(name: "appgroupd", targets: ["appgroupd"]),
        .executable(name: "appgroupd-transcode", targets: ["appgroupd-transcode"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-collections", exact: "1.6.0"),
        .package(url: "https://github.com/apple/swift-http-types", exact: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", exact: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
        .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1", traits: []),
        .package(url: "https://github.com/jpsim/Yams", exact: "6.2.2"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
    ])

// A target imports only targets that stand above it (Tests/PackageTests).

// The C libraries, each with the name of its Debian package.
package.targets += [
    .target(name: "CLinuxShims"),
    systemLibrary("CXXHash", "libxxhash-dev"),  // Its functions are compiled into the program.
    systemLibrary("COpenSSL", pkgConfig: "openssl", "libssl-dev"),
    systemLibrary("CSeccomp", pkgConfig: "libseccomp", "libseccomp-dev"),
    systemLibrary("CCares", pkgConfig: "libcares", "libc-ares-dev"),
    systemLibrary("CCurl", pkgConfig: "libcurl", "libcurl4-openssl-dev"),
    systemLibrary(
        "CFFmpeg", pkgConfig: "libavformat libavcodec libswresample libswscale libavutil",
        "libavformat-dev", "libavcodec-dev", "libswresample-dev", "libswscale-dev", "libavutil-dev"),
    systemLibrary("CTIFF", pkgConfig: "libtiff-4", "libtiff-dev"),
    systemLibrary("CTurboJPEG", pkgConfig: "libturbojpeg", "libturbojpeg0-dev"),
    systemLibrary("CLittleCMS", pkgConfig: "lcms2", "liblcms2-dev"),
    systemLibrary("CWebPDemux", pkgConfig: "libwebpdemux", "libwebp-dev"),
    systemLibrary("CZlib", pkgConfig: "zlib", "zlib1g-dev"),
]

// Foundation and model: the kernel, values and ports.
package.targets += [
    library("JSON"),
    library("WebURL"),
    library("NotificationModel", ["CLinuxShims", "JSON", "WebURL"]),
    library("LinuxIO", handlesC: true, ["CLinuxShims", "CXXHash", "NotificationModel", "WebURL", deques, heaps]),
    library("Digests", handlesC: true, ["COpenSSL"]),
    library("TranscodeProtocol"),
    library("MediaHeaders"),
]

// Core: payloads and their notifications, and the checks of payloads before they are sent.
package.targets += [
    library("NotificationProcessor", ["JSON", "MediaHeaders", "NotificationModel", "WebURL"]),
    library("PayloadLint", ["JSON", "NotificationModel", "NotificationProcessor", "WebURL"]),
]

// Requests: the coordinator, the spool, and HTTP.
package.targets += [
    library("Ingress", ["Digests", "JSON", "LinuxIO", "NotificationModel", logging, metrics, serviceLifecycle]),
    library(
        "HTTPAPI",
        [
            "JSON", "NotificationModel", "WebURL", httpTypes, hummingbirdCore, logging, metrics, nioCore, nioHTTP1,
            nioPosix, serviceLifecycle,
        ]),
]

// Fetching: HTTP caching (RFC 9111), which performs I/O only through its ports, names, and transfers.
package.targets += [
    library("HTTPCaching", ["NotificationModel", "WebURL", httpTypes]),
    library("NameResolution", handlesC: true, ["CCares", "LinuxIO", "NotificationModel", "WebURL"]),
    library(
        "MediaFetcher", handlesC: true,
        [
            "CCurl", "COpenSSL", "CZlib", "Digests", "HTTPCaching", "LinuxIO", "MediaHeaders", "NameResolution",
            "NotificationModel", "WebURL", deques, httpTypes,
        ]),
]

// Transcoding: decoders without I/O, the sandbox of a worker, the pool of workers, and the work of one.
package.targets += [
    library("IconDrawing", ["MediaHeaders"]),
    library("ProgressiveJPEG", ["MediaHeaders"]),
    library("Sandbox", handlesC: true, ["CLinuxShims", "CSeccomp", "JSON", "LinuxIO"]),
    library(
        "TranscodePool", ["Digests", "LinuxIO", "MediaHeaders", "NotificationModel", "Sandbox", "TranscodeProtocol"]),
    library(
        "MediaTranscoder", handlesC: true,
        [
            "CFFmpeg", "CLittleCMS", "CTIFF", "CTurboJPEG", "CWebPDemux", "CZlib", "IconDrawing", "JSON", "LinuxIO",
            "MediaHeaders", "NotificationModel", "ProgressiveJPEG", "TranscodeProtocol",
        ]),
]

// The app group container, and batches of media that are prepared before they are sent.
package.targets += [
    library("AppGroupStore", ["Digests", "HTTPCaching", "JSON", "LinuxIO", "NotificationModel", heaps, sqlite]),
    library("Warming", ["Digests", "JSON", "LinuxIO", "NotificationModel", "WebURL", deques]),
]

// Service: the configuration, the log and the metrics.
package.targets += [
    library("ServiceConfiguration", ["JSON", "NotificationModel", "WebURL", yams]),
    library("Telemetry", ["JSON", "LinuxIO", "NotificationModel", logging, metrics]),
]

// Programs. The worker links FFmpeg, and neither the network nor the store.
package.targets += [
    library("Lab", ["HTTPCaching", "NotificationModel", "WebURL", httpTypes, nioCore, nioHTTP1, nioPosix]),
    program(
        "appgroupd",
        [
            "AppGroupStore", "HTTPAPI", "HTTPCaching", "Ingress", "JSON", "Lab", "LinuxIO", "MediaFetcher",
            "MediaHeaders", "NameResolution", "NotificationModel", "NotificationProcessor", "PayloadLint", "Sandbox",
            "ServiceConfiguration", "Telemetry", "TranscodePool", "TranscodeProtocol", "Warming", "WebURL",
            argumentParser, logging, metrics, serviceLifecycle,
        ]),
    program("appgroupd-transcode", ["JSON", "LinuxIO", "MediaTranscoder", "Sandbox", "TranscodeProtocol"]),
]

// Benchmarks (Benchmarks/RESULTS.md). Each compares this project with a peer in one run.
package.targets += [
    library("BenchProcess", in: "Benchmarks", ["LinuxIO", "NotificationModel"]),
    library("BenchReport", in: "Benchmarks", ["LinuxIO"]),
    library("ImageQuality", in: "Benchmarks", ["NotificationModel"]),
    library(
        "FetchWork", in: "Benchmarks",
        ["BenchProcess", "HTTPCaching", "LinuxIO", "MediaFetcher", "NotificationModel", "WebURL"]),
    program("fetch-bench-worker", in: "Benchmarks", ["BenchProcess", "FetchWork", "LinuxIO"]),
    program(
        "fetch-bench", in: "Benchmarks",
        [
            "AppGroupStore", "BenchProcess", "BenchReport", "FetchWork", "JSON", "LinuxIO", "MediaFetcher",
            "NotificationModel", "NotificationProcessor", "TranscodePool", "fetch-bench-worker",
        ]),
    program(
        "media-bench", in: "Benchmarks", exclude: ["Peers"],
        [
            "BenchProcess", "BenchReport", "ImageQuality", "LinuxIO", "MediaHeaders", "MediaTranscoder",
            "NotificationModel", "Sandbox", "TranscodeProtocol",
        ]),
    program(
        "media-corpus", in: "Benchmarks",
        ["BenchProcess", "ImageQuality", "LinuxIO", "NotificationModel", "TranscodePool", argumentParser]),
]

// The parts of tests. `escaping-worker` makes the calls that its sandbox forbids.
package.targets += [
    .executableTarget(name: "end-with-parent", path: "Tests/end-with-parent"),
    .target(name: "EscapeCalls", path: "Tests/EscapeCalls"),
    program(
        "escaping-worker", in: "Tests", ["EscapeCalls", "LinuxIO", "MediaTranscoder", "Sandbox", "TranscodeProtocol"]),
    library(
        "TestSupport", in: "Tests",
        ["BenchProcess", "HTTPCaching", "JSON", "LinuxIO", "MediaHeaders", "NotificationModel", "WebURL"]),
    library(
        "FuzzBodies", in: "FuzzTesting",
        [
            "HTTPCaching", "IconDrawing", "JSON", "LinuxIO", "MediaFetcher", "MediaHeaders", "MediaTranscoder",
            "NotificationModel", "NotificationProcessor", "PayloadLint", "ProgressiveJPEG", "ServiceConfiguration",
            "TestSupport", "TranscodeProtocol", "WebURL", httpTypes,
        ]),
]

package.targets += [
    tests("Fuzz", ["FuzzBodies", "TestSupport"]),
    tests("WebURL", ["TestSupport", "WebURL"]),
    tests("NotificationModel", ["JSON", "NotificationModel", "TestSupport"]),
    tests("Digests", ["Digests"]),
    tests("LinuxIO", ["LinuxIO", "TestSupport", "WebURL"]),
    tests("MediaHeaders", ["IconDrawing", "MediaHeaders", "TestSupport"]),
    tests(
        "MediaFetcher",
        [
            "CCurl", "Digests", "HTTPCaching", "Lab", "LinuxIO", "MediaFetcher", "NameResolution", "NotificationModel",
            "TestSupport", "WebURL", httpTypes,
        ]),
    tests("HTTPCaching", ["HTTPCaching", "LinuxIO", "NotificationModel", "TestSupport", httpTypes]),
    tests("NameResolution", ["LinuxIO", "NameResolution", "NotificationModel", "TestSupport", "WebURL"]),
    tests(
        "MediaTranscoder",
        [
            "CFFmpeg", "CTurboJPEG", "MediaHeaders", "MediaTranscoder", "NotificationModel", "ProgressiveJPEG",
            "TestSupport", "TranscodePool", "TranscodeProtocol",
        ]),
    tests("ProgressiveJPEG", ["MediaHeaders", "ProgressiveJPEG", "TestSupport"]),
    tests("BenchReport", ["BenchReport"]),
    tests("ImageQuality", ["ImageQuality", "TestSupport"]),
    tests("Sandbox", ["JSON", "Sandbox"]),
    tests("TranscodeProtocol", ["TestSupport", "TranscodeProtocol"]),
    tests(
        "TranscodePool",
        [
            "CFFmpeg", "EscapeCalls", "ImageQuality", "LinuxIO", "MediaTranscoder", "NotificationModel", "Sandbox",
            "TestSupport", "TranscodePool", "TranscodeProtocol", "appgroupd-transcode", "escaping-worker",
        ]),
    tests(
        "AppGroupStore",
        ["AppGroupStore", "HTTPCaching", "LinuxIO", "NotificationModel", "TestSupport", httpTypes, sqlite]),
    tests("Processor", ["JSON", "NotificationProcessor", "PayloadLint", "TestSupport"]),
    tests("PayloadLint", ["JSON", "NotificationModel", "NotificationProcessor", "PayloadLint", "TestSupport"]),
    tests("Warming", ["JSON", "LinuxIO", "NotificationModel", "TestSupport", "Warming"]),
    tests("ServiceConfiguration", ["JSON", "NotificationModel", "ServiceConfiguration", "TestSupport"]),
    tests("Telemetry", ["JSON", "LinuxIO", "NotificationModel", "Telemetry", "TestSupport", logging, metrics]),
    tests(
        "HTTPAPI",
        [
            "HTTPAPI", "JSON", "NotificationModel", "TestSupport", httpTypes, logging, nioCore, nioPosix,
            serviceLifecycle,
        ]),
    tests(
        "Ingress",
        ["Ingress", "JSON", "LinuxIO", "TestSupport", logging, serviceLifecycle, serviceLifecycleTestKit]),
    tests(
        "Lab", ["HTTPCaching", "Lab", "NotificationModel", "TestSupport", httpTypes, nioCore, nioHTTP1, nioPosix]),
    // The tests of the whole programs.
    tests(
        "System",
        [
            "AppGroupStore", "HTTPAPI", "JSON", "Lab", "LinuxIO", "NotificationModel", "NotificationProcessor",
            "PayloadLint", "ServiceConfiguration", "TestSupport", "Warming", "appgroupd", "appgroupd-transcode",
            "escaping-worker",
        ]),
]

/// `APPGROUPD_FUZZ=1` adds the program that `make fuzz` builds with sanitizers (scripts/fuzz).
if Context.environment["APPGROUPD_FUZZ"] == "1" {
    package.targets += [
        .systemLibrary(name: "CLibFuzzer", path: "FuzzTesting/CLibFuzzer"),
        program("fuzz", in: "FuzzTesting", ["CLibFuzzer", "FuzzBodies"]),
    ]
}
