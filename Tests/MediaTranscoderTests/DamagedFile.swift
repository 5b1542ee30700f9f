import Foundation
import TestSupport
import Testing
import TranscodeProtocol

/// A file of fixtures/damaged, with what scripts/make-damaged-fixtures says of it.
struct DamagedFile: Decodable, Sendable, CustomTestStringConvertible {
    let file: String
    let whole: String
    /// Rows that are as in the whole picture, in percent.
    let rows: Int
    /// Whole frames of an animation.
    let frames: UInt32?
    /// `nil`: it is refused.
    let detail: String?

    var testDescription: String { file }
    var isShown: Bool { detail != nil }
    var format: SourceFormat {
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
