import Foundation

/// The files in `fixtures/payloads`.
enum PayloadSamples {
    /// The directory of the samples. The project is above `Tests/NotificationModelTests`.
    static let directory = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "fixtures/payloads")

    /// Returns the names and bytes of all samples, sorted by name.
    static func all() throws -> [(name: String, bytes: [UInt8])] {
        try FileManager.default.contentsOfDirectory(atPath: directory.path()).filter { $0.hasSuffix(".json") }.sorted()
            .map { ($0, Array(try Data(contentsOf: directory.appending(path: $0)))) }
    }
}
