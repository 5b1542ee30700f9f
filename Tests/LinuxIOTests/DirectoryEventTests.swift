import LinuxIO
import TestSupport
import Testing

/// Tests with the numbers of inotify(7), which are copied from its header.
struct DirectoryEventTests {
    private static func record(_ kinds: UInt32, _ name: [UInt8] = [], watch: Int32 = 1, length: UInt32? = nil)
        -> [UInt8]
    {
        let words: [UInt32] = [UInt32(bitPattern: watch), kinds, 0, length ?? UInt32(name.count)]
        let header = words.flatMap { word in (UInt32(0)..<4).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) } }
        return header + name
    }

    private func events(_ bytes: [UInt8]) -> [DirectoryEvent] { DirectoryEvent.parse(bytes[...]).map(\.event) }

    @Test(
        arguments: [
            (0x8, DirectoryEvent.closedAfterWriting("a")), (0x80, .movedIn("a")), (0x100, .fileMade("a")),
            (0x4000_0080, .directoryMade("a")), (0x4000_0100, .directoryMade("a")), (0x4000, .overflow), (0x400, .gone),
            (0x800, .gone), (0x8000, .gone), (0x2000, .gone),
        ] as [(UInt32, DirectoryEvent)])
    func `each kind of record is read as its event`(_ kinds: UInt32, _ event: DirectoryEvent) {
        #expect(events(Self.record(kinds, [0x61, 0, 0, 0])) == [event])
    }

    @Test func `a record of an unknown kind is skipped`() {
        #expect(events(Self.record(0x200, [0x61, 0]) + Self.record(0x80, [0x62, 0])) == [.movedIn("b")])
    }

    @Test func `several records are read as events with the numbers of their watches`() {
        let bytes = Self.record(0x8, Array("first.json".utf8) + [0, 0], watch: 7) + Self.record(0x4000, watch: -1)
        let parsed = DirectoryEvent.parse(bytes[...])
        #expect(parsed.map(\.watch) == [7, -1])
        #expect(parsed.map(\.event) == [.closedAfterWriting("first.json"), .overflow])
    }

    @Test(arguments: [0, 1, 15])
    func `an incomplete record header is not read as an event`(_ count: Int) {
        #expect(events(Array(Self.record(0x8, [0x61]).prefix(count))).isEmpty)
    }

    @Test(arguments: [2, 17, 1 << 31, UInt32.max])
    func `a name that is longer than the remaining bytes is not read`(_ length: UInt32) {
        #expect(events(Self.record(0x8, [0x61], length: length)).isEmpty)
        #expect(events(Self.record(0x80, [0x62, 0]) + Self.record(0x8, [0x61], length: length)) == [.movedIn("b")])
    }

    @Test func `a name that is not UTF-8 is reported as unreadable`() {
        #expect(events(Self.record(0x8, [0xFF, 0xFE, 0])) == [.unreadableName])
    }

    @Test func `a name without a final zero and an empty name are accepted`() {
        #expect(events(Self.record(0x8, [0x61, 0x62])) == [.closedAfterWriting("ab")])
        #expect(events(Self.record(0x8)) == [.closedAfterWriting("")])
    }

    @Test func `random bytes are parsed without a trap`() {
        var generator = SeededGenerator.random()
        for _ in 0..<2_000 {
            let count = Int.random(in: 0...100, using: &generator)
            _ = DirectoryEvent.parse((0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }[...])
        }
    }
}
