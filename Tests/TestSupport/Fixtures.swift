import Foundation

/// The files of `fixtures/`.
package enum Fixtures {
    package static let folder = URL(filePath: #filePath).deletingLastPathComponent()  // TestSupport
        .deletingLastPathComponent()  // Tests
        .deletingLastPathComponent().appending(path: "fixtures").path()

    package static let media = folder + "/media"

    package static func bytes(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: "\(folder)/\(name)")))
    }
}
