import Base
import Foundation
import LinuxIO
import NotificationModel
import TestSupport
import Testing

@testable import RequestCoordinator

/// Tests of erasures in the files of the spool.
@Suite(.timeLimit(.minutes(1))) struct SpoolErasureTests {
    /// Reads envelopes with a payload. A payload with `aps` is of a dialect.
    private struct Reader: RequestNaming {
        func names(of submission: Submission) throws(EnvelopeError) -> RequestNames {
            let object = submission.object
            if let named = AppGroupName(named: object), !submission.permittedGroups.contains(named) {
                throw EnvelopeError(key: "group", problem: "is not permitted")
            }
            let payload = object["payload"]?.object ?? object
            var names = RequestNames(group: submission.group ?? .default)
            names.id = object["id"]?.string ?? submission.weakID?.description
            names.recipients = Set([object["payload"] == nil ? nil : object["recipient"]?.string].compactMap(\.self))
            names.isRecognized = payload["aps"] != nil
            return names
        }
    }

    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        for group in ["group.default", "group.a"] {
            for name in ["incoming", "claimed", "rejected", "outbox"] {
                try FileSystem.makeDirectories("\(directory.path)/\(group)/\(name)")
            }
        }
    }

    private func put(_ bytes: [UInt8], at path: String) throws {
        try Data(bytes).write(to: URL(filePath: "\(directory.path)/\(path)"))
    }

    private func erase(
        _ name: String, kind: ErasureTarget.Kind = .recipient, in group: AppGroupName = .default
    ) async throws -> ErasureCounts {
        let loop = try EventLoop.start(name: "agd-test")
        defer { loop.shutdown() }
        var step = ErasureStep(ErasureTarget(group: group, kind: kind, name: name))
        if kind == .recipient { step.recipientNames = [name] }
        step.reader = Reader()
        return try await SpoolErasure(root: directory.path, on: loop, maxBytes: 64 << 10) { $0 == .default }.erase(
            step)
    }

    private func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: "\(directory.path)/\(path)") }

    @Test(arguments: [
        ("incoming/a.json", #"{"recipient":"rose-anna","payload":{"aps":{}}}"#),
        ("incoming/a", #"{"recipient":"rose-anna"}"#), ("incoming/rose-anna.json", "{}"),
        ("rejected/a.json", #"{"recipient":"rose-anna", broken"#),
        ("rejected/a.json", #"{"recipient":"rose\u002danna", broken"#),
        ("rejected/a.json", #"{"appGroup":"group.a","recipient":"rose-anna"}"#),
        ("rejected/a.error.json", #"{"problem":"rose-anna is unknown"}"#), ("rejected/a.png", "id=rose%2Danna&x"),
        ("outbox/a.json", #"{"dialect":"apns","recipient":"rose-anna"}"#),
        ("outbox/a.json", #"{"dialect":null,"recipient":null,"push":"rose-anna"}"#),
        ("rejected/a.json", String(repeating: " ", count: 200 << 10) + "rose-anna"),
        (
            "rejected/a.json",
            String(repeating: " ", count: (1 << 20) - 4) + "rose-anna" + String(repeating: " ", count: 9)
        ),
    ])
    func `a file of the target is removed, whatever it is`(path: String, text: String) async throws {
        try put(Array(text.utf8), at: "group.default/" + path)
        #expect(try await erase("rose-anna").spoolFiles == 1)
        #expect(!exists("group.default/" + path))
    }

    @Test(arguments: [
        ("incoming/a.json", #"{"recipient":"ben","payload":{"aps":{"alert":"rose-anna"}}}"#),
        ("incoming/a.json", #"{"recipient":"ben","payload":{"x":"rose-anna"}}"#),
        ("outbox/a.json", #"{"dialect":"apns","recipient":null,"push":"rose-anna"}"#),
        ("outbox/a.json", #"{"dialect":null,"recipient":"ben","push":"rose-anna"}"#),
    ])
    func `a request of another recipient that mentions the name is counted`(path: String, text: String) async throws {
        try put(Array(text.utf8), at: "group.default/" + path)
        let counts = try await erase("rose-anna")
        #expect(counts.mentions == 1 && counts.spoolFiles == 0)
        #expect(exists("group.default/" + path))
    }

    @Test func `a longer word and a file of another group stay`() async throws {
        try put(Array(#"{"recipient":"rose-annabel", broken"#.utf8), at: "group.default/rejected/a.json")
        try put(Array(#"{"recipient":"rose-anna", broken"#.utf8), at: "group.a/rejected/a.json")
        #expect(try await erase("rose-anna") == ErasureCounts())
    }

    @Test func `a large file is found by its name`() async throws {
        try put(Array(repeating: 0x20, count: 200 << 10), at: "group.default/rejected/order-1.json")
        #expect(try await erase("order-1", kind: .id).spoolFiles == 1)
    }

    @Test func `a claimed file of the target lets the step fail, so that it is tried again`() async throws {
        try put(Array(#"{"recipient":"rose-anna","payload":{"aps":{}}}"#.utf8), at: "group.default/claimed/a.json")
        await #expect(throws: MediaFailure.self) { try await erase("rose-anna") }
        #expect(exists("group.default/claimed/a.json"))
    }
}
