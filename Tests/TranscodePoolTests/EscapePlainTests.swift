import EscapeCalls
import LinuxIO
import NotificationModel
import TestSupport
import Testing

@testable import TranscodePool

/// The tests of a worker whose decoder a malicious file has taken over. The worker makes each system call that an
/// attacker could use, and the sandbox prevents all of them.
@Suite(.timeLimit(.minutes(2)))
struct EscapePlainTests {
    struct Way: Sendable, CustomTestStringConvertible {
        let testDescription: String

        /// The system call that the daemon has to report.
        var call: String { String(testDescription.prefix { $0 != ":" }) }
        var canReport: Bool { !testDescription.hasSuffix("without a socket for the report") }

        static let all = (0..<agd_escape_count()).map { index in
            Way(testDescription: String(cString: agd_escape_name(index)))
        }
    }

    /// Returns the detail of the job's failure. If the sandbox permits the call, the detail is the result of the call.
    private func answer(to way: String) async throws -> String? {
        let canaries = try EscapeCanaries()
        let worker = try canaries.worker(way)
        let failure = try await withPool(of: worker.path) { pool in
            try await PoolWork("photo-small.jpg").run(in: pool).failure
        }
        try canaries.checkUntouched()
        return failure?.detail
    }

    @Test func `a worker can write to the outputs of its job and to no other file`() async throws {
        let answer = try await answer(to: "writes")
        #expect(answer == "escaped: writes, with the result 0")
    }

    @Test func `a worker cannot exceed its memory limits with any kind of mapping`() async throws {
        let answer = try await answer(to: "memory")
        #expect(answer == "escaped: memory, with the result 0")
    }

    @Test(arguments: Way.all)
    func `a system call that no decoder needs ends the worker, and has no effect`(_ way: Way) async throws {
        let canaries = try EscapeCanaries()
        let worker = try canaries.worker(way.testDescription)
        let events = Record<PoolEvent>()
        try await withPool(of: worker.path, observing: events) { pool in
            let failure = try await PoolWork("photo-small.jpg").run(in: pool).failure
            #expect(failure?.reason == .workerCrashed)
            let call = way.canReport ? way.call : "of an unknown name"
            #expect(failure?.detail == "the worker ended while it processed this file, by the forbidden call \(call)")
            #expect(try await PoolWork("orientation-1.jpg").run(in: pool).get().renditions.count == 2)
        }
        try canaries.checkUntouched()
        let ends = events.elements.compactMap { event in
            if case .workerEnded(let end, _, atJob: true) = event { end } else { nil as ProcessEnd? }
        }
        #expect(ends == [.violated(call: way.canReport ? way.call : nil)])
    }
}
