import Base
import Foundation
import HTTPAPI
import Lab
import LinuxIO
import NotificationModel
import TestSupport
import Testing

/// Tests that a daemon that is killed during its work loses no request and emits no result twice.
@Suite(.serialized, .timeLimit(.minutes(1))) struct ServeCrashTests {
    /// The moment at which the daemon is killed.
    enum Moment: Sendable {
        /// The daemon is killed after this number of files was dropped.
        case dropped(Int)
        /// The daemon is killed after this number of requests to the origin, from all daemons together.
        case asked(Int)
        /// The daemon is killed after this number of contents was read.
        case read(Int)

        static func random(_ part: ClosedRange<Int>, using generator: inout SeededGenerator) -> Moment {
            let count = Int.random(in: part, using: &generator)
            return switch Int.random(in: 0..<3, using: &generator) {
            case 0: .dropped(count)
            case 1: .asked(count / 4)
            default: .read(count)
            }
        }
    }

    private static let goodCount = 200
    private static let badCount = 20

    @Test(arguments: ([1, 2, 3, 4] as [UInt64]).sampled(every: 2))
    func `each of two hundred files has exactly one result even if the daemon is killed twice`(_ seed: UInt64)
        async throws
    {
        var generator = SeededGenerator(seed: seed)
        let moments = [
            Moment.random(1...110, using: &generator), Moment.random(111...190, using: &generator),
        ]
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            try await ServedRoot.withRoot { root in
                var files = Self.goodFiles(origin) + Self.badFiles
                files.shuffle(using: &generator)
                var daemon = try await root.start()
                let outbox = try await root.readOutbox()
                let rejected = try await root.watchNames(in: "rejected")
                var dropped = 0
                func drop(upTo count: Int) throws {
                    for file in files[dropped..<max(dropped, count)] { try root.drop(file.bytes, as: file.name) }
                    dropped = max(dropped, count)
                }
                for moment in moments {
                    switch moment {
                    case .dropped(let count): try drop(upTo: count)
                    case .asked(let count):
                        try drop(upTo: files.count)
                        await origin.waitUntil { $0.requests >= count }
                    case .read(let count):
                        try drop(upTo: files.count)
                        try await outbox.taken.wait(forCount: count)
                    }
                    try await daemon.kill()
                    daemon = try await root.start()
                }
                try drop(upTo: files.count)
                try await outbox.taken.wait { Set($0.map(\.id)).count == Self.goodCount ? true : nil }
                try await rejected.seen.wait { names in
                    Self.badFiles.allSatisfy { names.contains("\($0.name).json") } ? true : nil
                }
                let end = try await daemon.terminate()
                #expect(end == .init(status: 0, isBySignal: false))
                try Self.check(root, outbox, "\(moments)")
            }
        }
    }

    private static func check(_ root: ServedRoot, _ outbox: ServedOutbox, _ moments: String) throws {
        let taken = outbox.taken.elements
        let twice = Dictionary(grouping: taken, by: \.id).filter { $0.value.count > 1 }.keys.sorted()
        #expect(twice.isEmpty, "\(moments)")
        #expect(Set(taken.map(\.id)) == Set((0..<goodCount).map { "good-\($0)" }), "\(moments)")
        for taken in taken {
            #expect(taken.content["id"]?.string == taken.id)
            let outcome = taken.content["outcome"]?.string
            switch try #require(Int(taken.id.dropFirst(5))) % 4 {
            case 0: #expect(outcome == "passthrough")
            case 1, 2: #expect(outcome == "rich" || (outcome == "fallback" && taken.content["reason"] == "internal"))
            default: #expect(outcome == "fallback", "\(taken.id)")
            }
            guard outcome == "fallback" else { continue }
            #expect(taken.content["content"]["body"] == "without")
        }
        for place in ["incoming", "claimed", "outbox", ".staged"] {
            #expect(root.names(in: place).isEmpty, "\(place), \(moments)")
        }
        let rejected = root.names(in: "rejected")
        let expected = badFiles.flatMap { ["\($0.name).json", "\($0.name).error.json"] }.sorted()
        #expect(rejected == expected, "\(moments)")
        for file in badFiles {
            let kept = try FileSystem.contents(of: "\(root.path("rejected"))/\(file.name).json")
            #expect(kept == file.bytes)
            let reason = try FileSystem.contents(of: "\(root.path("rejected"))/\(file.name).error.json")
            let value = try JSONParser.value(of: reason)
            #expect(value["reason"] == "invalid-payload")
            #expect(value["file"]?.string == "\(file.name).json")
        }
    }

    // MARK: Files

    private struct File {
        let name: String
        let bytes: [UInt8]
    }

    private static func goodFiles(_ origin: MisbehavingOrigin) -> [File] {
        (0..<goodCount).map { number in
            let text =
                switch number % 4 {
                case 0: ServedPayload.text("\(number)")
                case 1, 2: ServedPayload.media([origin.fresh("/delay/300ms/photo-small.jpg")])
                default:
                    ServedPayload.envelope(ServedPayload.media([origin.stalled]), budget: number % 8 == 3 ? "1s" : "2s")
                }
            return File(name: "good-\(number)", bytes: Array(text.utf8))
        }
    }

    private static let badFiles: [File] = {
        let kinds: [[UInt8]] =
            [
                "{", "", "not json", "[1, 2]", "7", #"{"a": 1,}"#, #"{"budget": 7, "payload": {}}"#,
                #"{"appGroup": "a/b", "payload": {}}"#, #"{"id": "a/b", "payload": {}}"#,
            ].map { Array($0.utf8) } + [[0xFF, 0xFE, 0x7B, 0x7D]]
        return (0..<badCount).map { File(name: "bad-\($0)", bytes: kinds[$0 % kinds.count]) }
    }()
}
