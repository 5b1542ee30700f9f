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
/// The linker settings of release programs (full RELRO). The functions of libraries are bound at the start, and their
/// table is read-only afterwards.
let releaseLinkerSettings: [LinkerSetting] = [
    .unsafeFlags(
        ["-Xlinker", "-z", "-Xlinker", "now", "-Xlinker", "-z", "-Xlinker", "relro"], .when(configuration: .release))
]
/// The settings of the targets that own C handles. Every unsafe expression must be marked as unsafe.
let unsafeAuditedSettings: [SwiftSetting] = commonSettings + [.strictMemorySafety()]

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
    ],
    targets: [
        // The targets without dependencies on other layers: the kernel, values and ports.
        .target(name: "CLinuxShims"),
        .target(name: "JSON", swiftSettings: commonSettings),
        .target(name: "NotificationModel", dependencies: ["CLinuxShims", "JSON"], swiftSettings: commonSettings),
        .target(name: "MediaHeaders", swiftSettings: commonSettings),
        // This library consists of a header whose functions are compiled into the program.
        .systemLibrary(name: "CXXHash", providers: [.apt(["libxxhash-dev"])]),
        .target(
            name: "LinuxIO",
            dependencies: [
                "CLinuxShims", "CXXHash", "NotificationModel",
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "HeapModule", package: "swift-collections"),
            ], swiftSettings: unsafeAuditedSettings),

        // The TLS library of libcurl, and the digests that it computes.
        .systemLibrary(name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
        .target(name: "Digests", dependencies: ["COpenSSL"], swiftSettings: unsafeAuditedSettings),

        // The sandbox that a worker applies before it decodes, and the names of system calls.
        .systemLibrary(name: "CSeccomp", pkgConfig: "libseccomp", providers: [.apt(["libseccomp-dev"])]),
        .target(
            name: "Sandbox", dependencies: ["CLinuxShims", "CSeccomp", "JSON", "LinuxIO"],
            swiftSettings: unsafeAuditedSettings),

        // The stages of the pipeline. No stage imports another stage.
        .target(
            name: "NotificationProcessor", dependencies: ["JSON", "MediaHeaders", "NotificationModel"],
            swiftSettings: commonSettings),
        // The checks of payloads before they are sent.
        .target(
            name: "PayloadLint", dependencies: ["JSON", "NotificationModel", "NotificationProcessor"],
            swiftSettings: commonSettings),
        // HTTP caching (RFC 9111). It performs I/O only through its ports.
        .target(
            name: "HTTPCaching",
            dependencies: ["NotificationModel", .product(name: "HTTPTypes", package: "swift-http-types")],
            swiftSettings: commonSettings),
        .systemLibrary(name: "CCares", pkgConfig: "libcares", providers: [.apt(["libc-ares-dev"])]),
        .target(
            name: "NameResolution", dependencies: ["CCares", "LinuxIO", "NotificationModel"],
            swiftSettings: unsafeAuditedSettings),
        .systemLibrary(
            name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .target(
            name: "MediaFetcher",
            dependencies: [
                "CCurl", "COpenSSL", "CZlib", "Digests", "HTTPCaching", "LinuxIO", "MediaHeaders", "NameResolution",
                "NotificationModel",
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ], swiftSettings: unsafeAuditedSettings),
        .target(name: "TranscodeProtocol", swiftSettings: commonSettings),
        .target(
            name: "TranscodePool",
            dependencies: ["Digests", "LinuxIO", "MediaHeaders", "NotificationModel", "Sandbox", "TranscodeProtocol"],
            swiftSettings: commonSettings),
        .target(
            name: "AppGroupStore",
            dependencies: [
                "Digests", "HTTPCaching", "JSON", "LinuxIO", "NotificationModel",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "HeapModule", package: "swift-collections"),
            ], swiftSettings: commonSettings),

        // The worker's targets, which link FFmpeg, and neither the network nor the store.
        .systemLibrary(
            name: "CFFmpeg", pkgConfig: "libavformat libavcodec libswresample libswscale libavutil",
            providers: [
                .apt(["libavformat-dev", "libavcodec-dev", "libswresample-dev", "libswscale-dev", "libavutil-dev"])
            ]),
        // Decoders for the bitmaps of icons and for BMP files with rare masks. They perform no I/O.
        .target(name: "IconDrawing", dependencies: ["MediaHeaders"], swiftSettings: commonSettings),
        // A decoder for progressive JPEG files at an eighth or a quarter of their sides. It performs no I/O.
        .target(name: "ProgressiveJPEG", dependencies: ["MediaHeaders"], swiftSettings: commonSettings),
        .systemLibrary(name: "CTIFF", pkgConfig: "libtiff-4", providers: [.apt(["libtiff-dev"])]),
        .systemLibrary(name: "CTurboJPEG", pkgConfig: "libturbojpeg", providers: [.apt(["libturbojpeg0-dev"])]),
        .systemLibrary(name: "CLittleCMS", pkgConfig: "lcms2", providers: [.apt(["liblcms2-dev"])]),
        .systemLibrary(name: "CWebPDemux", pkgConfig: "libwebpdemux", providers: [.apt(["libwebp-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .target(
            name: "MediaTranscoder",
            dependencies: [
                "CFFmpeg", "CLittleCMS", "CTIFF", "CTurboJPEG", "CWebPDemux", "CZlib", "IconDrawing", "JSON", "LinuxIO",
                "MediaHeaders", "NotificationModel", "ProgressiveJPEG", "TranscodeProtocol",
            ], swiftSettings: unsafeAuditedSettings),
        .executableTarget(
            name: "appgroupd-transcode",
            dependencies: ["JSON", "LinuxIO", "MediaTranscoder", "Sandbox", "TranscodeProtocol"],
            swiftSettings: commonSettings, linkerSettings: releaseLinkerSettings),

        // The entry of requests: the coordinator, the spool, and HTTP.
        .target(
            name: "Ingress",
            dependencies: [
                "Digests", "JSON", "LinuxIO", "NotificationModel",
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ], swiftSettings: commonSettings),

        .target(
            name: "HTTPAPI",
            dependencies: [
                "JSON", "NotificationModel",
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ], swiftSettings: commonSettings),

        // The configuration, the log and the metrics.
        .target(
            name: "ServiceConfiguration",
            dependencies: ["JSON", "NotificationModel", .product(name: "Yams", package: "Yams")],
            swiftSettings: commonSettings),
        .target(
            name: "Telemetry",
            dependencies: [
                "JSON", "LinuxIO", "NotificationModel",
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "Logging", package: "swift-log"),
            ], swiftSettings: commonSettings),

        // Batches of media that are prepared before they are sent: their schedule, journal and report.
        .target(
            name: "Warming",
            dependencies: [
                "Digests", "JSON", "LinuxIO", "NotificationModel",
                .product(name: "DequeModule", package: "swift-collections"),
            ], swiftSettings: commonSettings),

        // The origin of the laboratory, and the command that connects all targets.
        .target(
            name: "Lab",
            dependencies: [
                "HTTPCaching", "NotificationModel",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ], swiftSettings: commonSettings),
        .executableTarget(
            name: "appgroupd",
            dependencies: [
                "AppGroupStore", "HTTPCaching", "JSON", "ServiceConfiguration", "HTTPAPI", "Ingress", "Lab", "LinuxIO",
                "MediaFetcher", "MediaHeaders", "NameResolution",
                "NotificationModel", "NotificationProcessor", "PayloadLint", "Sandbox", "Telemetry", "TranscodePool",
                "TranscodeProtocol", "Warming",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ], swiftSettings: commonSettings, linkerSettings: releaseLinkerSettings),

        // The parts of the benchmarks: measured processes, and tables of their resources.
        .target(
            name: "BenchProcess", dependencies: ["LinuxIO", "NotificationModel"], path: "Benchmarks/BenchProcess",
            swiftSettings: commonSettings),
        .target(
            name: "BenchReport", dependencies: ["LinuxIO"], path: "Benchmarks/BenchReport",
            swiftSettings: commonSettings),
        // The similarity of two images, and of an image and the result of an oracle.
        .target(
            name: "ImageQuality", dependencies: ["NotificationModel"], path: "Benchmarks/ImageQuality",
            swiftSettings: commonSettings),
        // The benchmark that compares the fetcher with curl. `fetch-bench-worker` is a program with only the fetcher.
        // The benchmark also uses the worker of the same build.
        .executableTarget(
            name: "fetch-bench",
            dependencies: [
                "AppGroupStore", "BenchProcess", "BenchReport", "FetchWork", "JSON", "LinuxIO", "MediaFetcher",
                "NotificationModel", "NotificationProcessor", "TranscodePool", "fetch-bench-worker",
            ], path: "Benchmarks/FetchBench", swiftSettings: commonSettings,
            linkerSettings: releaseLinkerSettings),
        .executableTarget(
            name: "fetch-bench-worker", dependencies: ["BenchProcess", "FetchWork", "LinuxIO"],
            path: "Benchmarks/FetchWorker", swiftSettings: commonSettings,
            linkerSettings: releaseLinkerSettings),
        .target(
            name: "FetchWork",
            dependencies: ["BenchProcess", "HTTPCaching", "LinuxIO", "MediaFetcher", "NotificationModel"],
            path: "Benchmarks/FetchWork", swiftSettings: commonSettings),
        // The benchmark of the transcoder. It compares images with libvips, for which `make bench` builds a peer
        // program, and videos with FFmpeg.
        .executableTarget(
            name: "media-bench",
            dependencies: [
                "BenchProcess", "BenchReport", "LinuxIO", "MediaHeaders", "MediaTranscoder", "NotificationModel",
                "ImageQuality", "Sandbox", "TranscodeProtocol",
            ], path: "Benchmarks/MediaBench", exclude: ["Peers"], swiftSettings: commonSettings,
            linkerSettings: releaseLinkerSettings),
        // A check of the workers with any directory of media, in which Pillow is the oracle (`make corpus`).
        .executableTarget(
            name: "media-corpus",
            dependencies: [
                "BenchProcess", "LinuxIO", "NotificationModel", "ImageQuality", "TranscodePool",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ], path: "Benchmarks/MediaCorpus", swiftSettings: commonSettings),

        // A program that ends the programs of tests together with the test process.
        .executableTarget(name: "end-with-parent", path: "Tests/EndWithParent"),
        // A worker that makes the calls that its sandbox forbids, for the tests of the pool. It is not a product.
        .target(name: "EscapeCalls", path: "Tests/EscapeCalls"),
        .executableTarget(
            name: "escaping-worker",
            dependencies: ["EscapeCalls", "LinuxIO", "MediaTranscoder", "Sandbox", "TranscodeProtocol"],
            path: "Tests/EscapingWorker", swiftSettings: commonSettings),
        .target(
            name: "TestSupport",
            dependencies: ["BenchProcess", "HTTPCaching", "JSON", "LinuxIO", "MediaHeaders", "NotificationModel"],
            path: "Tests/TestSupport", swiftSettings: commonSettings),
        // A function for each fuzzed parser, for libFuzzer and for the tests that replay its corpora
        // (FuzzTesting/README.md).
        .target(
            name: "FuzzBodies",
            dependencies: [
                "HTTPCaching", "IconDrawing", "JSON", "LinuxIO", "MediaFetcher", "MediaHeaders", "MediaTranscoder",
                "NotificationModel", "NotificationProcessor", "PayloadLint", "ProgressiveJPEG",
                "ServiceConfiguration", "TestSupport", "TranscodeProtocol",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ], path: "FuzzTesting/Bodies", swiftSettings: commonSettings),
        .testTarget(name: "FuzzTests", dependencies: ["FuzzBodies", "TestSupport"], swiftSettings: commonSettings),
        .testTarget(
            name: "NotificationModelTests", dependencies: ["JSON", "NotificationModel", "TestSupport"],
            swiftSettings: commonSettings),
        .testTarget(name: "DigestsTests", dependencies: ["Digests"], swiftSettings: commonSettings),
        .testTarget(name: "LinuxIOTests", dependencies: ["LinuxIO", "TestSupport"], swiftSettings: commonSettings),
        .testTarget(
            name: "MediaHeadersTests", dependencies: ["IconDrawing", "MediaHeaders", "TestSupport"],
            swiftSettings: commonSettings),
        .testTarget(
            name: "MediaFetcherTests",
            dependencies: [
                "CCurl", "Digests", "HTTPCaching", "Lab", "LinuxIO", "MediaFetcher", "NameResolution",
                "NotificationModel", "TestSupport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ], swiftSettings: commonSettings),
        .testTarget(
            name: "HTTPCachingTests",
            dependencies: [
                "HTTPCaching", "LinuxIO", "NotificationModel", "TestSupport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ], swiftSettings: commonSettings),
        .testTarget(
            name: "NameResolutionTests",
            dependencies: ["LinuxIO", "NameResolution", "NotificationModel", "TestSupport"],
            swiftSettings: commonSettings),
        .testTarget(
            name: "MediaTranscoderTests",
            dependencies: [
                "CFFmpeg", "CTurboJPEG", "MediaHeaders", "MediaTranscoder", "NotificationModel", "ProgressiveJPEG",
                "TestSupport", "TranscodePool", "TranscodeProtocol",
            ], swiftSettings: commonSettings),
        .testTarget(
            name: "ProgressiveJPEGTests", dependencies: ["MediaHeaders", "ProgressiveJPEG", "TestSupport"],
            swiftSettings: commonSettings),
        .testTarget(name: "BenchReportTests", dependencies: ["BenchReport"], swiftSettings: commonSettings),
        .testTarget(
            name: "ImageQualityTests", dependencies: ["ImageQuality", "TestSupport"], swiftSettings: commonSettings),
        .testTarget(name: "SandboxTests", dependencies: ["JSON", "Sandbox"], swiftSettings: commonSettings),
        .testTarget(
            name: "TranscodeProtocolTests", dependencies: ["TestSupport", "TranscodeProtocol"],
            swiftSettings: commonSettings),
        .testTarget(
            name: "TranscodePoolTests",
            dependencies: [
                "CFFmpeg", "EscapeCalls", "LinuxIO", "MediaTranscoder", "NotificationModel", "ImageQuality", "Sandbox",
                "TestSupport", "TranscodePool", "TranscodeProtocol", "appgroupd-transcode", "escaping-worker",
            ], swiftSettings: commonSettings),
        .testTarget(
            name: "AppGroupStoreTests",
            dependencies: [
                "AppGroupStore", "HTTPCaching", "LinuxIO", "NotificationModel", "TestSupport",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: commonSettings),
        .testTarget(
            name: "ProcessorTests", dependencies: ["JSON", "NotificationProcessor", "PayloadLint", "TestSupport"],
            swiftSettings: commonSettings),
        .testTarget(
            name: "PayloadLintTests",
            dependencies: ["JSON", "NotificationModel", "NotificationProcessor", "PayloadLint", "TestSupport"],
            swiftSettings: commonSettings),
        .testTarget(
            name: "WarmingTests", dependencies: ["JSON", "LinuxIO", "NotificationModel", "TestSupport", "Warming"],
            swiftSettings: commonSettings),
        .testTarget(
            name: "ServiceConfigurationTests",
            dependencies: ["JSON", "ServiceConfiguration", "NotificationModel", "TestSupport"],
            swiftSettings: commonSettings),
        .testTarget(
            name: "TelemetryTests",
            dependencies: [
                "JSON", "LinuxIO", "NotificationModel", "Telemetry", "TestSupport",
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "Logging", package: "swift-log"),
            ], swiftSettings: commonSettings),
        .testTarget(
            name: "HTTPAPITests",
            dependencies: [
                "HTTPAPI", "JSON", "NotificationModel", "TestSupport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ], swiftSettings: commonSettings),
        .testTarget(
            name: "IngressTests",
            dependencies: [
                "Ingress", "JSON", "LinuxIO", "TestSupport",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "ServiceLifecycleTestKit", package: "swift-service-lifecycle"),
            ], swiftSettings: commonSettings),
        .testTarget(
            name: "LabTests",
            dependencies: [
                "HTTPCaching", "Lab", "NotificationModel", "TestSupport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
            ], swiftSettings: commonSettings),
        // The tests of the whole programs.
        .testTarget(
            name: "SystemTests",
            dependencies: [
                "AppGroupStore", "HTTPAPI", "JSON", "Lab", "LinuxIO", "NotificationModel", "NotificationProcessor",
                "PayloadLint", "ServiceConfiguration", "TestSupport", "Warming",
                "appgroupd", "appgroupd-transcode", "escaping-worker",
            ],
            swiftSettings: commonSettings),
    ]
)

/// `APPGROUPD_FUZZ=1` adds the program that `make fuzz` builds with sanitizers (scripts/fuzz).
if Context.environment["APPGROUPD_FUZZ"] == "1" {
    package.targets += [
        .systemLibrary(name: "CLibFuzzer", path: "FuzzTesting/CLibFuzzer"),
        .executableTarget(
            name: "fuzz", dependencies: ["CLibFuzzer", "FuzzBodies"], path: "FuzzTesting/Fuzzer",
            swiftSettings: commonSettings),
    ]
}

/// Libraries are optimized in debug builds as well: tests with thousands of inputs take a tenth of the time.
for target in package.targets where target.type == .regular {
    target.swiftSettings?.append(.unsafeFlags(["-O"], .when(configuration: .debug)))
}
