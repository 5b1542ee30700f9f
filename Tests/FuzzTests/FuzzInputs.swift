import Foundation
import FuzzBodies
import TestSupport

/// The inputs of a target that are in the repository.
struct FuzzInputs {
    /// The name of a file and its bytes.
    typealias Input = (name: String, bytes: [UInt8])

    private static let directory = "\(Fixtures.project)/FuzzTesting"

    /// Returns the names of the directories below a directory of `FuzzTesting`.
    static func targets(in part: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "\(directory)/\(part)").sorted()
    }

    /// The seeds with which libFuzzer begins.
    let corpus: [Input]
    /// The inputs for which a parser once failed.
    let regressions: [Input]

    init(_ target: FuzzTarget) throws {
        corpus = try Self.files(in: "Corpus/\(target)")
        regressions = try Self.files(in: "Regressions/\(target)")
    }

    private static func files(in part: String) throws -> [Input] {
        let path = "\(directory)/\(part)"
        guard FileManager.default.fileExists(atPath: path) else { return [] }
        return try FileManager.default.contentsOfDirectory(atPath: path).sorted().map { name in
            (name, Array(try Data(contentsOf: URL(filePath: "\(path)/\(name)"))))
        }
    }
}

extension SeededGenerator {
    /// Returns an input with some bytes changed, or with parts moved, copied or removed.
    mutating func mutate(_ input: [UInt8]) -> [UInt8] {
        var bytes = input
        for _ in 0...Int.random(in: 0..<4, using: &self) {
            guard !bytes.isEmpty else { return [UInt8.random(in: 0...255, using: &self)] }
            let place = Int.random(in: 0..<bytes.count, using: &self)
            let end = min(bytes.count, place + Int.random(in: 1...40, using: &self))
            switch Int.random(in: 0..<7, using: &self) {
            case 0: bytes[place] = UInt8.random(in: 0...255, using: &self)
            case 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &self)
            case 2: bytes.removeSubrange(place..<end)
            case 3:
                bytes.insert(contentsOf: Array(bytes[place..<end]), at: Int.random(in: 0...bytes.count, using: &self))
            case 4: bytes.replaceSubrange(place..<min(bytes.count, place + 4), with: [0x7F, 0xFF, 0xFF, 0xFF])
            case 5: bytes.replaceSubrange(place..<min(bytes.count, place + 2), with: [0, 0])
            default: bytes.removeLast(Int.random(in: 0..<bytes.count, using: &self) / 2)
            }
        }
        return bytes
    }
}
