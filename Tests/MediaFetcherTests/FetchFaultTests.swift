import Base
import Lab
import MediaFetcher
import NotificationModel
import Testing

/// The tests that each fault of an origin has its own reason, and is found in time.
@Suite struct FetchFaultTests {
    struct Fault: Sendable, CustomTestStringConvertible {
        let path: String
        let reason: DegradationReason
        var testDescription: String { "\(path): \(reason.rawValue)" }
    }

    @Test(arguments: [
        Fault(path: "/no/such/file.jpg", reason: .httpStatus),
        Fault(path: "/status/404/photo-small.jpg", reason: .httpStatus),
        Fault(path: "/status/500/photo-small.jpg", reason: .httpStatus),
        Fault(path: "/status/204/photo-small.jpg", reason: .httpStatus),
        Fault(path: "/truncate/1000/photo-small.jpg", reason: .truncated),
        Fault(path: "/lie/length/photo-small.jpg", reason: .truncated),
        Fault(path: "/reset/1000/photo-small.jpg", reason: .connectionLost),
        Fault(path: "/redirect/loop", reason: .redirectRefused),
        Fault(path: "/redirect/6/photo-small.jpg", reason: .redirectRefused),
        Fault(path: "/redirect/to/ftp%3A%2F%2F127.0.0.1%2Fx", reason: .redirectRefused),
        Fault(path: "/redirect/to/file%3A%2F%2F%2Fetc%2Fpasswd", reason: .redirectRefused),
        Fault(path: "/redirect/to/http%3A%2F%2F10.0.0.1%2Fx", reason: .forbiddenAddress),
        Fault(path: "/redirect/to/http%3A%2F%2F%5B%3A%3A1%5D%2Fx", reason: .forbiddenAddress),
        Fault(path: "/redirect/to/http%3A%2F%2Fuser%3Apass%40127.0.0.1%2Fx", reason: .redirectRefused),
        Fault(path: "/endless/photo-small.jpg", reason: .tooLarge),
    ])
    func `a fetch with a fault fails with the expected reason`(_ fault: Fault) async throws {
        var limits = FetchLimits()
        limits.imageBytes = 2_000_000
        limits.videoBytes = 2_000_000
        try await OriginFixture.with(limits: limits) { fixture in
            try await fixture.expect(fault.reason, fault.path)
        }
    }

    @Test(arguments: [
        ("", DegradationReason.invalidURL), ("photo.jpg", .invalidURL), ("/photo.jpg", .invalidURL),
        ("//host/photo.jpg", .invalidURL), ("http://", .invalidURL), ("https://", .invalidURL),
        ("http://user@example.net/x", .invalidURL), ("http://:secret@example.net/x", .invalidURL),
        ("http://exa mple.net/", .invalidURL), ("http://example.net:99999/", .invalidURL),
        ("http://example.net/\u{0}x", .invalidURL), ("file:///etc/passwd", .forbiddenScheme),
        ("ftp://example.net/x", .forbiddenScheme), ("gopher://example.net/x", .forbiddenScheme),
        ("javascript:alert(1)", .forbiddenScheme), ("blob:https://example.net/x", .forbiddenScheme),
        ("mxc://example.org/abc", .forbiddenScheme),
    ])
    func `a malformed URL or a URL with a forbidden scheme is refused before its host is resolved`(
        _ url: String, _ reason: DegradationReason
    ) async throws {
        try await OriginFixture.with { fixture in
            try await fixture.expect(reason, url: url)
        }
    }

    @Test func `a fetch from a port without a listener reports a failed connection`() async throws {
        try await OriginFixture.with { fixture in
            let port = fixture.origin.port
            await fixture.origin.stop()
            try await fixture.expect(.connectFailed, url: "http://127.0.0.1:\(port)/x.jpg")
        }
    }

    @Test(arguments: [
        "/stall/headers/photo-small.jpg", "/stall/after/1000/photo-small.jpg", "/delay/30s/photo-small.jpg",
    ])
    func `a fetch from a stalled origin ends at the deadline`(_ path: String) async throws {
        try await OriginFixture.with { fixture in
            let before = MonotonicInstant.now
            try await fixture.expect(.budgetExceeded, path, within: .milliseconds(150))
            #expect(before.duration(to: .now) >= .milliseconds(150))
            await fixture.origin.waitUntil { $0.connectionsOpen == 0 }
        }
    }

    @Test(arguments: ["/stall/headers/photo-small.jpg", "/stall/after/1000/photo-small.jpg"])
    func `a fetch from a stalled origin ends at the limit of its phase, before the budget ends`(_ path: String)
        async throws
    {
        var limits = FetchLimits()
        limits.firstByte = .milliseconds(200)
        limits.idle = .milliseconds(100)
        try await OriginFixture.with(limits: limits) { fixture in
            let result = try await fixture.fetch(path)
            guard case .failure(let failure) = result else {
                Issue.record("the fetch did not fail")
                return
            }
            #expect(failure.reason == .budgetExceeded)
            #expect(failure.detail.contains("sent nothing for too long"))
        }
    }

    @Test func `a stalled transfer ends at the limit of its phase, while another transfer continues`() async throws {
        var limits = FetchLimits()
        // No second connections are opened.
        (limits.stallThreshold, limits.hedgeAfter) = (.seconds(600), .seconds(600))
        limits.firstByte = .seconds(600)
        limits.idle = .milliseconds(100)
        try await OriginFixture.with(limits: limits) { fixture in
            let waiting = Task { try await fixture.fetch("/stall/headers/photo-small.jpg") }
            defer { waiting.cancel() }
            await fixture.origin.waitUntil { $0.requests == 1 }
            guard case .failure(let failure) = try await fixture.fetch("/stall/after/1000/photo-small.jpg") else {
                Issue.record("the fetch did not fail")
                return
            }
            #expect(failure.reason == .budgetExceeded && failure.detail.contains("sent nothing for too long"))
            await fixture.origin.waitUntil { $0.connectionsOpen == 1 }
            waiting.cancel()
            #expect(try await waiting.value.reason == .cancelled)
        }
    }

    /// The limit of the body starts when the transfer resumes.
    @Test func `a transfer that stalls again after it has resumed ends at the limit of the later phase`() async throws {
        var limits = FetchLimits()
        (limits.stallThreshold, limits.hedgeAfter) = (.milliseconds(100), .milliseconds(100))
        limits.firstByte = .seconds(600)
        limits.idle = .milliseconds(200)
        try await OriginFixture.with(limits: limits) { fixture in
            let result = try await fixture.fetch("/delay/300ms/stall/after/1000/photo-small.jpg")
            guard case .failure(let failure) = result else {
                Issue.record("the fetch did not fail")
                return
            }
            #expect(failure.reason == .budgetExceeded && failure.detail.contains("while sending the body"))
        }
    }

    @Test func `a slow origin that keeps sending is not stalled`() async throws {
        var limits = FetchLimits()
        limits.idle = .milliseconds(400)
        limits.firstByte = .milliseconds(400)
        try await OriginFixture.with(limits: limits) { fixture in
            try await fixture.expect(nil, "/drip/1s/photo-small.jpg")
        }
    }
}
