import EscapeCalls
import Foundation
import LinuxIO
import NotificationModel
import TestSupport
import Testing

@testable import TranscodePool

#if !THREAD_SANITIZER
/// A decoder that a file has taken over makes each system call that could be of use to it. None of them is made.
@Suite(.timeLimit(.minutes(2)))
struct EscapeTests {
    struct Way: Sendable, CustomTestStringConvertible {
        let index: Int
        let testDescription: String

        /// The call that the daemon is to name.
        var call: String { String(testDescription.prefix { $0 != ":" }) }
        var canReport: Bool { !testDescription.hasSuffix("without a socket for the report") }

        static let all = (0..<agd_escape_count()).map { index in
            Way(index: index, testDescription: String(cString: agd_escape_name(index)))
        }
    }

    /// A directory that a way could change, with a file that it could read.
    private struct Place {
        static let secret = "the canary's song"
        let directory: TemporaryDirectory

        init() throws {
            directory = try TemporaryDirectory()
            try FileSystem.replace(directory.path + "/canary", with: Array(Self.secret.utf8))
        }

        /// Whether nothing was made, removed, renamed or changed.
        var isUntouched: Bool {
            let names = try? FileManager.default.contentsOfDirectory(atPath: directory.path)
            let contents = try? String(contentsOfFile: directory.path + "/canary", encoding: .utf8)
            let mode = try? FileManager.default.attributesOfItem(atPath: directory.path + "/canary")[.posixPermissions]
            return names == ["canary"] && contents == Self.secret && mode as? Int != 0o777
        }
    }

    private static func worker(_ index: Int, in place: Place) throws -> FakeWorker {
        // The first life escapes; the next ones are honest.
        try FakeWorker([
            "exec \(BuiltProducts.path(of: "escaping-worker")) \(index) \(place.directory.path) \"$@\""
        ])
    }

    @Test func `a worker can write to the outputs of its job and to nothing else`() async throws {
        let place = try Place()
        let worker = try Self.worker(Way.all.count, in: place)
        try await withPool(of: worker.path) { pool in
            let failure = try await PoolWork("photo-small.jpg").run(in: pool).failure
            #expect(failure?.detail == "way \(Way.all.count) was made, with the result 0")
        }
    }

    @Test(arguments: Way.all)
    func `a call that is no decoder's ends the worker and is not made`(_ way: Way) async throws {
        let place = try Place()
        let worker = try Self.worker(way.index, in: place)
        let events = Record<PoolEvent>()
        try await withPool(of: worker.path, observing: events) { pool in
            let failure = try await PoolWork("photo-small.jpg").run(in: pool).failure
            #expect(failure?.reason == .workerCrashed)
            let call = way.canReport ? way.call : "of an unknown name"
            #expect(failure?.detail == "the worker ended while it was at this file, by the forbidden call \(call)")
            #expect(try await PoolWork("orientation-1.jpg").run(in: pool).get().renditions.count == 2)
        }
        #expect(place.isUntouched)
        #expect(!FileManager.default.fileExists(atPath: "/tmp/appgroupd-canary"))
        let ends = events.elements.compactMap { event in
            if case .workerEnded(let end, _, atJob: true) = event { end } else { nil as ProcessEnd? }
        }
        #expect(ends == [.violated(call: way.canReport ? way.call : nil)])
    }
}
#endif
