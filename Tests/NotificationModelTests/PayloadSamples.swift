import Foundation

/// The texts of `fixtures/payloads`.
enum PayloadSamples {
    static let directory = URL(filePath: #filePath).deletingLastPathComponent()  // NotificationModelTests
        .deletingLastPathComponent()  // Tests
        .deletingLastPathComponent().appending(path: "fixtures/payloads")

    /// By name, sorted.
    static func all() throws -> [(name: String, bytes: [UInt8])] {
        try FileManager.default.contentsOfDirectory(atPath: directory.path()).filter { $0.hasSuffix(".json") }.sorted()
            .map { ($0, Array(try Data(contentsOf: directory.appending(path: $0)))) }
    }
}
