import Base
import Foundation
import HTTPAPI
import LinuxIO
import NotificationModel
import TestSupport
import Testing

/// Tests of damaged journals, which the daemon and `doctor` report.
@Suite(.timeLimit(.minutes(1))) struct DamagedJournalTests {
    enum Damage: String, CaseIterable, Sendable {
        case garbage
        case truncated
        case directory

        func make(at path: String) throws {
            let bytes = try FileSystem.contents(of: path)
            switch self {
            case .garbage: try FileSystem.write([UInt8](repeating: 0x5A, count: bytes.count), toFile: path)
            case .truncated: try FileSystem.write(Array(bytes.prefix(bytes.count / 2)), toFile: path)
            case .directory:
                try FileSystem.remove(path)
                try FileSystem.makeDirectory(path)
            }
        }
    }

    private static func accept(_ count: Int, by root: ServedRoot) async throws {
        for number in 0..<count {
            let answer = try await root.client.post(ServedPayload.text("b"), ["idempotency-key": "k-\(number)"])
            #expect(answer.status == 200)
        }
    }

    @Test(arguments: Damage.allCases)
    func `an unusable journal ends serve with status 1, and one error line names the path of the journal`(
        _ damage: Damage
    ) async throws {
        try await ServedRoot.withRoot { root in
            let daemon = try await root.start()
            try await Self.accept(20, by: root)
            try await daemon.terminate()
            let path = root.path + "/.appgroupd/journal.sqlite"
            try damage.make(at: path)

            let run = try await ProgramRun.appgroupd("serve", "--root", root.path, "--listen", "none")
            #expect(run.status == 1)
            let line = try #require(run.errors.last)
            #expect(run.errors.count == 1, "\(run.errors)")
            #expect(line.hasPrefix("appgroupd: the journal cannot be opened: \(path) is "), "\(line)")
            #expect(line.contains("move it away"))

            let visit = try await Self.doctor(root)
            #expect(visit.status == 1)
            #expect(visit.finding["status"] == "failed")
            #expect(visit.finding["found"]?.string?.hasPrefix(path) == true)
            #expect(visit.finding["mend"]?.string?.contains("ove it away") == true)
        }
    }

    @Test func `the daemon and doctor report a damaged write-ahead log`() async throws {
        try await ServedRoot.withRoot { root in
            let daemon = try await root.start()
            try await Self.accept(20, by: root)
            let running = try await Self.doctor(root).finding["found"]?.string
            #expect(running == "in use by process \(daemon.pid)")
            try await daemon.kill()
            let killed = try await Self.doctor(root).finding
            #expect(killed["status"] == "ok", "\(killed)")
            let log = root.path + "/.appgroupd/journal.sqlite-wal"
            var bytes = try FileSystem.contents(of: log)
            bytes[bytes.count / 2] ^= 1
            try FileSystem.write(bytes, toFile: log)
            let finding = try await Self.doctor(root).finding
            #expect(finding["status"] == "failed")

            let next = try await root.start()
            let record = try #require(next.log.records(log).first)
            #expect(record["level"] == "error")
            let message = try #require(record["message"]?.string)
            #expect(message.contains("is damaged (\(bytes.count) bytes): "), "\(message)")
            #expect(message.contains(" frames can be read"), "\(message)")
            try await Self.accept(1, by: root)
        }
    }

    private static func doctor(_ root: ServedRoot) async throws -> (status: Int32, finding: JSONValue) {
        let run = try await ProgramRun.appgroupd("doctor", "--root", root.path, "--format", "json")
        let checks = try #require(try run.contents.first?["checks"]?.array)
        return (run.status, try #require(checks.first { $0["name"] == "journal" }))
    }
}
