import Base
import NotificationModel
import TestSupport
import Testing

/// Tests with arbitrary bytes. The result is a value that can be written and read again, or an error within the text.
@Suite struct JSONHostileBytesTests {
    @Test func `the parser returns a value or throws an error for random bytes`() {
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<3_000 {
            let count = Int.random(in: 0..<64, using: &generator)
            Self.check((0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) })
        }
    }

    @Test func `the parser returns a value or throws an error for random tokens of the grammar`() {
        let words = [
            "{", "}", "[", "]", ",", ":", "\"", "\\", "\\u", "D83D", "\\uDE00", "true", "null", "-", "0", "1", ".", "e",
            "+",
            " ", "\n", "\u{0}", "a", "\u{E9}", "\u{FEFF}",
        ].map { Array($0.utf8) }
        var generator = SeededGenerator(seed: 2)
        var readable = 0
        for _ in 0..<5_000 {
            let count = Int.random(in: 0..<12, using: &generator)
            let picked = (0..<count).compactMap { _ in words.randomElement(using: &generator) }
            if Self.check(picked.flatMap { $0 }) { readable += 1 }
        }
        #expect(readable > 10, "too few of the texts can be read")
    }

    @Test func `the parser returns a value or throws an error for each mutated payload sample`() throws {
        var generator = SeededGenerator(seed: 3)
        for (_, sample) in try PayloadSamples.all() {
            for _ in 0..<60 { Self.check(Self.mutated(sample, &generator)) }
        }
    }

    @Test func `the parser throws an error for each truncated payload sample`() throws {
        let sample = try #require(try PayloadSamples.all().first { $0.name == "sendios.json" }).bytes
        let end = try #require(sample.lastIndex(of: UInt8(ascii: "}")))
        for count in 0...end {
            #expect(throws: JSONSyntaxError.self) { try JSONParser.value(of: Array(sample[..<count])) }
        }
    }

    /// Parses bytes, and returns whether they are JSON.
    @discardableResult
    private static func check(_ bytes: [UInt8]) -> Bool {
        do {
            let value = try JSONParser.value(of: bytes)
            let again = try JSONParser.value(of: JSONWriter.text(of: value, pretty: true))
            #expect(again == value, "\(bytes)")
            return true
        } catch {
            let lines = bytes.count { $0 == 0x0A } + 1
            #expect((1...lines).contains(error.line), "\(bytes)")
            #expect((1...bytes.count + 1).contains(error.column), "\(bytes)")
            return false
        }
    }

    private static func mutated(_ sample: [UInt8], _ generator: inout SeededGenerator) -> [UInt8] {
        var bytes = sample
        for _ in 0...Int.random(in: 0..<4, using: &generator) {
            let place = Int.random(in: 0..<bytes.count, using: &generator)
            switch Int.random(in: 0..<5, using: &generator) {
            case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
            case 1: bytes.remove(at: place)
            case 2: bytes.insert(bytes[Int.random(in: 0..<bytes.count, using: &generator)], at: place)
            case 3: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            default:
                let end = min(bytes.count, place + Int.random(in: 0..<40, using: &generator))
                bytes.insert(contentsOf: bytes[place..<end], at: Int.random(in: 0...bytes.count, using: &generator))
            }
        }
        return bytes
    }
}
