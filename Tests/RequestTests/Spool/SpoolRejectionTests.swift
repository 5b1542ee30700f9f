import Base
import FoundationEssentials
import Glibc
import LinuxIO
import NotificationModel
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct SpoolRejectionTests {
    private let bench: SpoolBench

    init() throws { bench = try SpoolBench() }

    @Test(arguments: [
        ("", 1, 1), ("{", 1, 2), ("{\"a\":1}\n{\"b\":2}", 2, 1), ("{\"a\":\u{0}}", 1, 6), ("\u{0}\u{0}", 1, 1),
        ("nonsense", 1, 1), (String(repeating: "[", count: 100_000), 1, 129), ("{\"a\": \"\n\"}", 1, 8),
    ])
    func `invalid JSON is rejected with its line and column`(_ text: String, _ line: Int, _ column: Int) async throws {
        try await bench.run {
            try bench.write(text, to: "incoming/x.json")
            try await bench.waitFor("rejected") { $0.contains("x.json") }
        }
        #expect(try FileSystem.contents(of: bench.path("rejected/x.json")) == Array(text.utf8))
        #expect(try bench.names("rejected") == ["x.error.json", "x.json"])
        #expect(try bench.names("claimed").isEmpty && bench.coordinator.submissions.isEmpty)
        let reason = try bench.reason("x")
        #expect(
            reason.keys == ["file", "reason", "problem", "line", "column", "appGroup", "arrivedAt", "rejectedAt"])
        #expect(reason["file"] == "x.json" && reason["reason"] == "invalid-payload")
        #expect(reason["line"]?.integer == line && reason["column"]?.integer == column)
        #expect(reason["appGroup"] == "group.default" && reason["rejectedAt"] == .timestamp(bench.clock.date))
        #expect(reason["problem"]?.string?.isEmpty == false)
    }

    @Test(arguments: [
        ("[{}]", "an array, not an object: put each element into its own file"),
        ("1", "a number, not an object"), ("null", "null, not an object"), ("\"text\"", "a string, not an object"),
        (" true ", "a boolean, not an object"),
    ])
    func `a JSON value that is not an object is rejected`(_ text: String, _ says: String) async throws {
        try await bench.run {
            try bench.write(text, to: "incoming/x.json")
            try await bench.waitFor("rejected") { $0.contains("x.json") }
        }
        #expect(try bench.reason("x")["problem"] == .string("the file has " + says))
    }

    @Test(
        arguments: [
            ([0x1F, 0x8B, 8, 0], "gzip"), ([0x28, 0xB5, 0x2F, 0xFD, 0], "zstd"), (Array("BZh9".utf8), "bzip2"),
            ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0], "xz"),
        ] as [([UInt8], String)])
    func `the reason of a compressed file names the compression`(_ bytes: [UInt8], _ name: String) async throws {
        try await bench.run {
            try FileSystem.write(bytes, toFile: bench.path("incoming/.x"))
            try FileSystem.rename(bench.path("incoming/.x"), to: bench.path("incoming/x.json"))
            try await bench.waitFor("rejected") { $0.contains("x.json") }
        }
        let reason = try bench.reason("x")
        #expect(reason["reason"] == "invalid-payload")
        #expect(reason["problem"]?.string?.contains("compressed with \(name)") == true, "\(reason)")
    }

    @Test func `a byte order mark is ignored`() async throws {
        try await bench.run {
            try bench.write("\u{FEFF}{\"a\":1}", to: "incoming/x.json")
            await bench.coordinator.waitForSubmissions(1)
        }
        #expect(bench.coordinator.submissions.first?.object == ["a": 1])
    }

    @Test func `a file that is too large is rejected without being read`() async throws {
        try await bench.run {
            let bytes = [UInt8](repeating: UInt8(ascii: " "), count: (4 << 20) + 1)
            try FileSystem.write(bytes, toFile: bench.path("incoming/x.json"))
            try await bench.waitFor("rejected") { $0.contains("x.json") }
        }
        #expect(FileSystem.size(of: bench.path("rejected/x.json")) == (4 << 20) + 1)
        #expect(try bench.reason("x")["reason"] == "too-large")
        #expect(try bench.reason("x")["problem"] == "it has more than 4194304 bytes")
    }

    @Test(.enabled(if: getuid() != 0, "root may read every file"))
    func `a file that cannot be read is rejected`() async throws {
        try await bench.run {
            try bench.write(to: "unreadable")
            chmod(bench.path("unreadable"), 0)
            try FileSystem.move(bench.path("unreadable"), to: bench.path("incoming/x.json"))
            try await bench.waitFor("rejected") { $0.contains("x.json") }
        }
        #expect(try bench.reason("x")["problem"] == "the file cannot be read: Permission denied")
    }

    @Test func `the rejection of an unusable envelope names the invalid JSON key of the envelope`() async throws {
        bench.coordinator.answer { _ in .unusable(EnvelopeError(key: "budget", problem: "soon is no duration")) }
        try await bench.run {
            try bench.write(to: "incoming/x.json")
            try await bench.waitFor("rejected") { $0.contains("x.json") }
        }
        let reason = try bench.reason("x")
        #expect(reason["reason"] == "invalid-payload" && reason["key"] == "budget")
        #expect(reason["problem"] == "soon is no duration" && reason["line"] == nil)
    }

    @Test(arguments: [true, false])
    func `a file with an id in use is rejected`(_ isJoined: Bool) async throws {
        bench.coordinator.answer { isJoined ? .joined(FakeCoordinator.key($0)) : .conflict(FakeCoordinator.key($0)) }
        try await bench.run {
            try bench.write(to: "incoming/x.json")
            try await bench.waitFor("rejected") { $0.contains("x.json") }
        }
        #expect(try bench.reason("x")["reason"] == "duplicate-id")
        #expect(try bench.names("claimed").isEmpty)
    }

    @Test func `a second file with the name of a claimed file is rejected, and the claimed file is kept`() async throws
    {
        try await bench.run {
            try bench.write("{\"a\":1}", to: "incoming/x.json")
            await bench.coordinator.waitForSubmissions(1)
            bench.coordinator.know(FakeCoordinator.key(bench.coordinator.submissions[0]), as: .running)
            try bench.write("{\"a\":2}", to: "incoming/x.json")
            try await bench.turn { try bench.names("rejected").contains("x.json") }
        }
        #expect(try FileSystem.contents(of: bench.path("claimed/x.json")) == Array("{\"a\":1}".utf8))
        #expect(try FileSystem.contents(of: bench.path("rejected/x.json")) == Array("{\"a\":2}".utf8))
        #expect(try bench.reason("x")["reason"] == "duplicate-id")
        #expect(bench.coordinator.submissions.count == 1)
    }

    /// The argument is `false` if the envelope gave the request another id than its name.
    @Test(arguments: [true, false])
    func `a file waits in incoming until an emitted file with its name is removed`(_ isKnown: Bool) async throws {
        try await bench.run {
            try bench.write("{\"a\":1}", to: "incoming/x.json")
            await bench.coordinator.waitForSubmissions(1)
            let key = FakeCoordinator.key(bench.coordinator.submissions[0])
            if isKnown {
                bench.coordinator.know(
                    key, as: .emitted(EmittedContent(key: key, outcome: .rich, reason: nil, json: [])))
            }
            try bench.write("{\"a\":2}", to: "incoming/x.json")
            try bench.write("{}", to: "incoming/y.json")
            await bench.coordinator.waitForSubmissions(2)
            try FileSystem.remove(bench.path("claimed/x.json"))
            try await bench.turn(until: 3)
        }
        #expect(bench.coordinator.submissions.last?.object == ["a": 2])
        #expect(try bench.names("rejected").isEmpty)
    }

    @Test func `a file that cannot be moved does not delay other files, and is moved later`() async throws {
        try await bench.run {
            try bench.write(to: "incoming/first.json")
            await bench.coordinator.waitForSubmissions(1)
            // A file has the name of the directory.
            try #require(rmdir(bench.path("rejected")) == 0)
            try bench.write(to: "rejected")
            try bench.write("no", to: "incoming/bad.json")
            try await bench.waitFor("claimed") { $0.contains("bad.json") }
            try bench.write(to: "incoming/good.json")
            await bench.coordinator.waitForSubmissions(2)
            try FileSystem.remove(bench.path("rejected"))
            try await bench.turn { (try? bench.names("rejected").contains("bad.json")) ?? false }
        }
        #expect(try bench.names("rejected") == ["bad.error.json", "bad.json"])
        #expect(try bench.names("claimed") == ["first.json", "good.json"])
    }

    @Test func `a newly rejected file replaces no file in the directory rejected`() async throws {
        try bench.makeDirectories()
        try bench.write("mine", to: "rejected/x.3.json")
        try bench.write("mine too", to: "rejected/x.4.error.json")
        try await bench.run {
            for number in 1...4 {
                try bench.write("no \(number)", to: "incoming/x.json")
                try await bench.waitFor("rejected") { names in
                    names.filter { !$0.contains("error") }.count == number + 1
                }
            }
        }
        #expect(
            try bench.names("rejected") == [
                "x.2.error.json", "x.2.json", "x.3.json", "x.4.error.json", "x.5.error.json", "x.5.json",
                "x.6.error.json", "x.6.json", "x.error.json", "x.json",
            ])
        #expect(try FileSystem.contents(of: bench.path("rejected/x.5.json")) == Array("no 3".utf8))
        #expect(try bench.reason("x.5")["file"] == "x.json")
    }

    @Test func `a file whose name was rejected many times gets a name with a time in microseconds`() async throws {
        try bench.makeDirectories()
        for number in 2...16 { try bench.write("mine", to: "rejected/x.\(number).json") }
        try bench.write("mine", to: "rejected/x.json")
        try await bench.run {
            try bench.write("no", to: "incoming/x.json")
            try await bench.waitFor("rejected") { names in names.contains { $0.contains("error") && $0.count > 20 } }
        }
        let name = try #require(try bench.names("rejected").first { $0.contains("error") })
        // The number is the microseconds since 1970.
        #expect(name.split(separator: ".")[1].count == 16)
        #expect(try bench.reason(String(name.dropLast(11)))["file"] == "x.json")
    }

    @Test(arguments: [250, 245, 236, 200])
    func `a name that leaves no space for the suffix of its reason is shortened`(_ length: Int) async throws {
        let name = String(repeating: "ü", count: (length - 5) / 2) + ".json"
        try await bench.run {
            for number in 1...2 {
                try bench.write("no \(number)", to: "incoming/\(name)")
                try await bench.waitForNames(number * 2, in: "rejected")
                try await bench.waitFor("claimed") { $0.isEmpty }
            }
        }
        let names = try bench.names("rejected")
        #expect(names.count == 4)
        let file = try #require(names.first { !$0.contains("error") && !$0.hasSuffix(".2.json") })
        #expect(try bench.reason(String(file.dropLast(5)))["file"] == .string(name))
        #expect(name.hasPrefix(file.dropLast(5)))
        #expect(try FileSystem.contents(of: bench.path("rejected/\(file)")) == Array("no 1".utf8))
    }
}
