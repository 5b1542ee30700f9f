import Base
import Foundation
import TestSupport
import Testing
import TranscodeProtocol

/// A file in fixtures/damaged, with its description by scripts/make-damaged-fixtures.
struct DamagedFile: Decodable, Sendable, CustomTestStringConvertible {
    let file: String
    let whole: String
    /// The rows that equal those of the intact image, in percent.
    let rows: Int
    /// The number of complete frames of an animation; `nil` for a still image.
    let frames: UInt32?
    /// The description of the damage; `nil` for a file that is refused.
    let detail: String?

    var testDescription: String { file }
    var isShown: Bool { detail != nil }
    var format: MediaFormat {
        switch file.split(separator: ".").last {
        case "png": .png
        case "gif": .gif
        default: .jpeg
        }
    }

    func bytes() throws -> [UInt8] { try Fixtures.bytes("damaged/\(file)") }
    func wholeBytes() throws -> [UInt8] { try Fixtures.bytes("damaged/\(whole)") }

    static let all: [DamagedFile] = {
        do {
            return try JSONDecoder().decode([Self].self, from: Data(Fixtures.bytes("damaged/expected.json")))
        } catch {
            Issue.record(error)
            return []
        }
    }()
    static let shown = all.filter(\.isShown)
    static let wholes = Set(all.map(\.whole)).sorted()
}
