import Base
import Foundation
import NotificationModel
import TestSupport
import Testing

@testable import TranscodePool

/// The tests of sounds from telephones, Apple, Microsoft, Sun and Flash with changed bytes, with the real worker in its
/// sandbox.
@Suite(.timeLimit(.minutes(5)))
struct MutatedSoundTests {
    private static let names = [
        "sounds/narrow.amr", "sounds/wide.amr", "sounds/opus.caf", "sounds/aac.caf", "sounds/alac.caf",
        "sounds/pcm.caf", "sounds/wma1.wma", "sounds/wma2.wma", "sounds/mulaw.au", "sounds/pcm.w64", "sounds/pcm.rf64",
        "sounds/gsm.wav",
        "sounds/adpcm-ms.wav", "sounds/adpcm-ima.wav", "sounds/mp3.flv", "films/flv1-mp3.flv", "films/h264-aac.flv",
    ]

    /// The number of mutations of each sound. `APPGROUPD_MUTATIONS=200` sets a higher one.
    private static let count = ProcessInfo.processInfo.environment["APPGROUPD_MUTATIONS"].flatMap { Int($0) } ?? 20

    @Test(arguments: names)
    func `a job with a mutated sound ends in time, with a rendition or a reason`(_ name: String) async throws {
        let source = try Fixtures.bytes(name)
        let directory = try TemporaryDirectory()
        var generator = SeededGenerator(seed: UInt64(source.count))
        try await withPool { pool in
            var outcomes: [String: Int] = [:]
            for round in 0..<Self.count {
                let bytes = Self.mutated(source, by: &generator)
                let path = "\(directory.path)/\(round)"
                try Data(bytes).write(to: URL(filePath: path))
                let start = MonotonicInstant.now
                let result = try await PoolWork(path: path).run(in: pool)
                #expect(start.duration(to: .now) < .seconds(5), "round \(round)")
                let isAllowed = ![.workerCrashed, .internal, .storageFailed, .budgetExceeded].contains(result.reason)
                #expect(isAllowed, "round \(round): \(String(describing: result.failure))")
                outcomes[result.reason?.rawValue ?? "shown", default: 0] += 1
                try FileManager.default.removeItem(atPath: path)
            }
            let words = outcomes.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
            print("\(name): \(words.joined(separator: ", "))")
        }
    }

    /// Cuts the file, or changes some of its bytes, half of them in the header.
    private static func mutated(_ source: [UInt8], by generator: inout SeededGenerator) -> [UInt8] {
        var bytes = source
        if Int.random(in: 0..<4, using: &generator) == 0 {
            bytes.removeLast(Int.random(in: 1..<bytes.count, using: &generator))
        }
        for _ in 0..<Int.random(in: 1...8, using: &generator) {
            let end = Bool.random(using: &generator) ? min(bytes.count, 160) : bytes.count
            let place = Int.random(in: 0..<end, using: &generator)
            let values: [UInt8] = [0, 0x7F, 0x80, 0xFF, .random(in: .min ... .max, using: &generator)]
            let value = values.randomElement(using: &generator) ?? 0
            for index in place..<min(bytes.count, place + Int.random(in: 1...4, using: &generator)) {
                bytes[index] = value
            }
        }
        return bytes
    }
}
