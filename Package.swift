// swift-tools-version: 6.2
import PackageDescription

/// Every target: Swift 6 mode, the upcoming features that make imports and isolation explicit, and no warnings.
let house: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
]
/// The rooms that own C handles: every unsafe expression is marked as one.
let besideC: [SwiftSetting] = house + [.strictMemorySafety()]

let package = Package(
    name: "appgroupd",
    products: [
        .executable(name: "appgroupd", targets: ["appgroupd"]),
        .executable(name: "appgroupd-transcode", targets: ["appgroupd-transcode"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    ],
    targets: [
        // The leaves: values and ports, and the kernel.
        .target(name: "NotificationModel", swiftSettings: house),
        .target(name: "MediaHeaders", swiftSettings: house),
        .target(name: "CLinuxShims"),
        .target(
            name: "LinuxIO",
            dependencies: [
                "CLinuxShims", "NotificationModel", .product(name: "HeapModule", package: "swift-collections"),
            ], swiftSettings: besideC),

        // The stages; none imports another.
        .target(
            name: "NotificationProcessor", dependencies: ["NotificationModel"], swiftSettings: house),
        .systemLibrary(
            name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .target(
            name: "MediaFetcher",
            dependencies: ["CCurl", "LinuxIO", "MediaHeaders", "NotificationModel"], swiftSettings: besideC),
        .target(name: "TranscodeProtocol", swiftSettings: house),
        .target(
            name: "TranscodePool",
            dependencies: ["LinuxIO", "MediaHeaders", "NotificationModel", "TranscodeProtocol"],
            swiftSettings: house),
        .target(
            name: "AppGroupStore",
            dependencies: [
                "LinuxIO", "NotificationModel",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "GRDB", package: "GRDB.swift"),
            ], swiftSettings: house),

        // The worker's side of the wall: FFmpeg, and nothing of the network or the store.
        .systemLibrary(
            name: "CFFmpeg", pkgConfig: "libavformat libavcodec libswscale libavutil",
            providers: [.apt(["libavformat-dev", "libavcodec-dev", "libswscale-dev", "libavutil-dev"])]),
        .target(
            name: "MediaTranscoder",
            dependencies: ["CFFmpeg", "LinuxIO", "MediaHeaders", "TranscodeProtocol"],
            swiftSettings: besideC),
        .executableTarget(
            name: "appgroupd-transcode",
            dependencies: ["LinuxIO", "MediaTranscoder", "TranscodeProtocol"], swiftSettings: house),

        // The laboratory's origin, and the command that joins everything.
        .target(
            name: "Lab",
            dependencies: [
                "NotificationModel",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ], swiftSettings: house),
        .executableTarget(
            name: "appgroupd",
            dependencies: [
                "AppGroupStore", "Lab", "LinuxIO", "MediaFetcher", "NotificationModel",
                "NotificationProcessor", "TranscodePool",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ], swiftSettings: house),

        .target(
            name: "TestSupport", dependencies: ["MediaHeaders", "NotificationModel"], path: "Tests/TestSupport",
            swiftSettings: house),
        .testTarget(
            name: "NotificationModelTests", dependencies: ["NotificationModel", "TestSupport"], swiftSettings: house),
        .testTarget(name: "LinuxIOTests", dependencies: ["LinuxIO", "TestSupport"], swiftSettings: house),
        .testTarget(name: "MediaHeadersTests", dependencies: ["MediaHeaders", "TestSupport"], swiftSettings: house),
        .testTarget(
            name: "MediaFetcherTests", dependencies: ["Lab", "LinuxIO", "MediaFetcher", "TestSupport"],
            swiftSettings: house),
        .testTarget(
            name: "MediaTranscoderTests",
            dependencies: ["CFFmpeg", "MediaHeaders", "MediaTranscoder", "TestSupport", "TranscodeProtocol"],
            swiftSettings: house),
        .testTarget(name: "TranscodeProtocolTests", dependencies: ["TranscodeProtocol"], swiftSettings: house),
        .testTarget(
            name: "TranscodePoolTests",
            dependencies: ["LinuxIO", "TestSupport", "TranscodePool", "appgroupd-transcode"], swiftSettings: house),
        .testTarget(
            name: "AppGroupStoreTests",
            dependencies: ["AppGroupStore", "LinuxIO", "TestSupport", .product(name: "GRDB", package: "GRDB.swift")],
            swiftSettings: house),
        .testTarget(
            name: "ProcessorTests", dependencies: ["NotificationProcessor", "TestSupport"], swiftSettings: house),
        .testTarget(
            name: "LabTests",
            dependencies: [
                "Lab", .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
            ], swiftSettings: house),
        // The programs themselves, run as their users run them.
        .testTarget(
            name: "SystemTests",
            dependencies: [
                "Lab", "MediaFetcher", "NotificationModel", "NotificationProcessor", "TestSupport", "appgroupd",
                "appgroupd-transcode",
            ],
            swiftSettings: house),
    ]
)
