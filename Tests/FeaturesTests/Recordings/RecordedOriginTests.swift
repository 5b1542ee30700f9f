import Base
import LinuxIO
import NotificationModel
import TestSupport
import Testing

@testable import Features

/// The answers of origins as faults of the laboratory.
struct RecordedOriginTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    /// Returns the lines of `origin` and `hosts` for verdicts. Files have their sizes as names.
    private func lines(_ verdicts: [Verdict]) throws -> [String] {
        var urls = URLRedaction()
        let origin = try RecordedOrigin(verdicts, budget: .seconds(2), redacting: &urls) { body, suffix in
            "files/\(body.byteCount)\(body.isPadded ? "-padded" : "").\(suffix)"
        }
        return origin.rules.map { "\($0.key): \($0.value.flow)" }
            + origin.hosts.map { "\($0.host): \(ScenarioValue.map($0.faults).flow)" }
    }

    private func lines(_ transfers: TransferTiming..., failure: DegradationReason? = nil) throws -> [String] {
        try lines([RecordedSample.verdict(failure.map { MediaFailure($0, "the certificate has expired") }, transfers)])
    }

    @Test func `a body that broke off is repeated up to its last byte, and breaks off in the same way`() throws {
        func line(_ failure: DegradationReason?, complete: Int? = 900, active: Duration = .zero) throws -> String {
            let timing = try RecordedSample.transfer(
                failure: failure, wait: .milliseconds(300), body: [1, 2, 3, 4], complete: complete, active: active,
                in: directory)
            return try lines(timing)[0].replacing("cdn.example/a.jpg: {delay: 300ms, header: {", with: "")
        }
        #expect(try line(nil, complete: 4) == "Content-Type: image/jpeg}, file: files/4.jpg}")
        #expect(
            try line(.truncated) == "Content-Type: image/jpeg, Content-Length: 900, ETag: ~}, file: files/4.jpg}")
        #expect(
            try line(.truncated, complete: nil)
                == "Content-Type: image/jpeg, Content-Length: 1004, ETag: ~}, file: files/4.jpg}")
        #expect(
            try line(.connectionLost)
                == "Content-Type: image/jpeg, Content-Length: 900, ETag: ~}, reset: {after: 4}, file: files/4-padded.jpg}"
        )
        #expect(
            try line(.budgetExceeded, active: .seconds(2))
                == "Content-Type: image/jpeg, Content-Length: 900, ETag: ~}, rate: 2, stall: {after: 4}, file: files/4-padded.jpg}"
        )
        #expect(
            try line(.tooLarge, complete: 90_000_000)
                == "Content-Type: image/jpeg, Content-Length: 90000000, ETag: ~}, file: files/4.jpg}")
        #expect(
            try line(.tooLarge, complete: nil)
                == "Content-Type: image/jpeg, ETag: ~}, endless: \"true\", file: files/4.jpg}")
        #expect(try line(.unsupportedMedia) == "Content-Type: image/jpeg}, page: \"true\"}")
    }

    @Test func `an item whose word is no URL has the answers of its transfers`() throws {
        let transfer = try RecordedSample.transfer("https://hs.example/_matrix/media/a", status: 404)
        let verdict = RecordedSample.verdict(of: "mxc://hs.example/a", MediaFailure(.httpStatus, "404"), [transfer])
        #expect(try lines([verdict]) == ["hs.example/_matrix/media/a: {status: 404}"])
        #expect(try lines([RecordedSample.verdict(of: "mxc://hs.example/a", .cancelled, [])]).isEmpty)
    }

    @Test func `statuses, redirects and missing responses are faults`() throws {
        #expect(try lines(RecordedSample.transfer(status: 404)) == ["cdn.example/a.jpg: {status: 404}"])
        #expect(
            try lines(RecordedSample.transfer(status: 503, wait: .seconds(1), fields: ["retry-after": "2"])) == [
                "cdn.example/a.jpg: {delay: 1000ms, header: {Retry-After: 2}, status: 503}"
            ])
        #expect(
            try lines(RecordedSample.transfer(status: 302, fields: ["location": "/b.jpg?token=s3cret"])) == [
                "cdn.example/a.jpg: {redirect: \"https://cdn.example/b.jpg\"}"
            ])
        #expect(try lines(RecordedSample.transfer(status: 304)) == ["cdn.example/a.jpg: ok"])
        #expect(
            try lines(RecordedSample.transfer(status: nil, failure: .budgetExceeded, wait: .seconds(2))) == [
                "cdn.example/a.jpg: {stall: headers}"
            ])
        #expect(
            try lines(RecordedSample.transfer(status: nil, failure: .connectionLost)) == [
                "cdn.example/a.jpg: {reset: {after: 0}}"
            ])
    }

    @Test func `hosts that were not reached have faults before a request`() throws {
        #expect(
            try lines(RecordedSample.transfer(status: nil, failure: .connectFailed, wait: nil)) == [
                "cdn.example: {connect: refused}"
            ])
        #expect(
            try lines(RecordedSample.transfer(status: nil, failure: .budgetExceeded, wait: nil)) == [
                "cdn.example: {connect: black-hole}"
            ])
        #expect(
            try lines(RecordedSample.transfer(status: nil, failure: .tlsFailed, wait: nil), failure: .tlsFailed) == [
                "cdn.example: {certificate: expired}"
            ])
        var slow = try RecordedSample.transfer(status: 404)
        (slow.dns, slow.connect) = (.milliseconds(40), .milliseconds(60))
        #expect(try lines(slow) == ["cdn.example/a.jpg: {status: 404}", "cdn.example: {dnsDelay: 100ms}"])
    }

    @Test func `different answers are a list, and equal ones are one answer`() throws {
        let failed = try RecordedSample.transfer(status: 503)
        let found = try RecordedSample.transfer(status: 404)
        #expect(try lines(failed, failed, failed) == ["cdn.example/a.jpg: {status: 503}"])
        #expect(try lines(failed, found, found) == ["cdn.example/a.jpg: [{status: 503}, {status: 404}]"])
        var hedged = found
        hedged.isHedged = true
        #expect(try lines(hedged) == ["cdn.example/a.jpg: [{stall: headers}, {status: 404}]"])
    }

    static let unmet: [(MediaFailure?, String)] = [
        (nil, "cdn.example/a.jpg: ok"),
        (MediaFailure(.dnsFailed, "the name of the host does not exist"), "cdn.example: {dns: nxdomain}"),
        (MediaFailure(.dnsFailed, "the name servers did not answer"), "cdn.example: {dns: timeout}"),
        (MediaFailure(.dnsFailed, "SERVFAIL"), "cdn.example: {dns: servfail}"),
        (MediaFailure(.forbiddenAddress, "private"), "cdn.example: {dns: private-address}"),
        (MediaFailure(.httpStatus, "503 (found out 1 s ago)"), "cdn.example/a.jpg: {status: 404}"),
        (MediaFailure(.redirectRefused, "loop"), "cdn.example/a.jpg: {redirect: loop}"),
        (MediaFailure(.connectFailed, "refused"), "cdn.example: {connect: refused}"),
    ]

    @Test(arguments: unmet)
    func `an item without a request has a fault of the same reason`(failure: MediaFailure?, line: String) throws {
        #expect(try lines([RecordedSample.verdict(failure, [])]) == [line])
    }

    @Test func `an item whose turn never came waits longer than the budget`() throws {
        let verdict = RecordedSample.verdict(
            MediaFailure(.budgetExceeded, "late"), [], stages: [Stage(name: .queue, duration: .seconds(2))])
        #expect(try lines([verdict]) == ["cdn.example/a.jpg: {stall: headers}", "cdn.example: {dnsDelay: 12s}"])
    }
}
