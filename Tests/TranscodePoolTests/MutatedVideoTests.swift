import Foundation
import NotificationModel
import TestSupport
import Testing

@testable import TranscodePool

/// The tests of videos and sounds with changed bytes, with the real worker in its sandbox.
@Suite(.timeLimit(.minutes(5)))
struct MutatedVideoTests {
    /// Changes bytes, overwrites or repeats a part, or removes the end.
    private static func mutated(_ bytes: [UInt8], by generator: inout SeededGenerator) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...16, using: &generator) {
            // Headers and indexes are at both ends of a file.
            let isNearEnd = Bool.random(using: &generator)
            let near = Int.random(in: 0..<min(bytes.count, 2_000), using: &generator)
            let place = isNearEnd ? bytes.count - 1 - near : near
            let other = Int.random(in: 0..<bytes.count, using: &generator)
            switch Int.random(in: 0..<10, using: &generator) {
            case 0..<5: bytes[place] = UInt8.random(in: .min ... .max, using: &generator)
            case 5..<7: bytes[other] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            case 7: for index in place..<min(place + 8, bytes.count) { bytes[index] = 0xFF }
            case 8:
                let part = bytes[other..<min(other + 64, bytes.count)]
                bytes.insert(contentsOf: part, at: place)
            default: bytes.removeLast(min(bytes.count / 2, Int.random(in: 1...4_000, using: &generator)))
            }
        }
        return bytes
    }

    @Test func `a worker survives five hundred mutated videos and sounds`() async throws {
        let sources = try ["films", "sounds"].flatMap { folder in
            try FileManager.default.contentsOfDirectory(atPath: "\(Fixtures.directory)/\(folder)").sorted()
                .filter { !$0.hasPrefix(".") }.map { "\(folder)/\($0)" }
        }
        #expect(sources.count > 40)
        let directory = try TemporaryDirectory()
        try await withPool { pool in
            var generator = SeededGenerator(seed: 20_261_126)
            var shown = 0
            let rounds = TestLength.rounds(500, short: 100)
            for round in 0..<rounds {
                let name = sources[round % sources.count]
                let bytes = Self.mutated(try Fixtures.bytes(name), by: &generator)
                let path = "\(directory.path)/\(round)"
                try Data(bytes).write(to: URL(filePath: path))
                var work = try PoolWork(path: path)
                // Every other video is encoded, regardless of its codec.
                if round.isMultiple(of: 2) { work.form.copiedVideoSide = 16 }
                let result = try await work.run(in: pool)
                let isAllowed = ![.workerCrashed, .internal, .storageFailed, .budgetExceeded].contains(result.reason)
                #expect(isAllowed, "round \(round) of \(name): \(String(describing: result.failure))")
                if result.failure == nil { shown += 1 }
                try FileManager.default.removeItem(atPath: path)
            }
            #expect(shown > rounds / 10, "\(shown) are shown")
        }
    }
}
