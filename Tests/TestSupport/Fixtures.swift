import Foundation

/// The files of `fixtures/`.
///
/// The target has the parts that the tests of several targets share:
///
/// - files: `Fixtures`, `SeedFixture`, `PayloadForm`, `Golden` and `TemporaryDirectory`;
/// - time and order: `ManualClock`, `TurnedExecutor`, `OwnThreadExecutor`, `Record` and `wait`;
/// - fakes of ports: `SampleTranscoder`, `SampleStore` and `MemoryResponseStore`;
/// - processes: `BuiltProducts`, `ParentBoundCommand`, `ProcessStatus`, `LeakCensus` and `TestCertificate`;
/// - JSON schemas: `JSONSchema`, which refuses all keywords that it does not know.
///
/// Tests pass paths, payloads and functions, and get values or thrown errors. Fakes return at once. A wait runs on the
/// task of the test, and ends with its event, at its limit, or when the task is cancelled.
package enum Fixtures {
    /// The directory of the project, which is above `Tests/TestSupport`.
    package static let project = String(
        URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent()
            .deletingLastPathComponent().path().dropLast())
    package static let directory = project + "/fixtures"
    package static let media = directory + "/media"

    package static func bytes(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: "\(directory)/\(name)")))
    }
}
