import Foundation

/// The files of `fixtures/`.
package enum Fixtures {
    package static let project = String(
        URL(filePath: #filePath).deletingLastPathComponent()  // TestSupport
            .deletingLastPathComponent()  // Tests
            .deletingLastPathComponent().path().dropLast())
    package static let directory = project + "/fixtures"
    package static let media = directory + "/media"

    package static func bytes(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: "\(directory)/\(name)")))
    }
}
