import Glibc
import Lab
import MediaFetcher
import NotificationModel
import TestSupport
import Testing

/// The tests of all faults before the first byte of a response: faults of names, connections and TLS, and services that
/// are no web servers.
@Suite(.serialized, .timeLimit(.minutes(2))) struct ConnectionFaultTests {
    @Test func `a fetch from a name that does not exist fails with dns-failed`() async throws {
        try await FaultBench(resolver: LoopbackNames([:])).expect(.dnsFailed) { "http://nowhere.test:\($0.port)/x" }
    }

    @Test func `a fetch from a port without a listener fails with connect-failed`() async throws {
        let failure = try await FaultBench().expect(.connectFailed) { origin in
            await origin.stop()
            return origin.baseURL + "/photo-small.jpg"
        }
        #expect(failure?.detail.isEmpty == false)
    }

    @Test func `a fetch from a host that accepts no connections fails with connect-failed or at the end of the budget`()
        async throws
    {
        let full = try FullListener()
        var bench = FaultBench()
        bench.limits.connect = .milliseconds(150)
        try await bench.expect(.connectFailed) { _ in "http://127.0.0.1:\(full.port)/x" }
        try await FaultBench(budget: .milliseconds(200)).expect(.budgetExceeded) { _ in
            "http://127.0.0.1:\(full.port)/x"
        }
    }

    @Test func `an address that accepts no connections does not prevent the use of another address`() async throws {
        let names = LoopbackNames(["two.test": [[LoopbackAddress(0, 0, 9), LoopbackAddress(0, 0, 1)]]])
        try await FaultBench(resolver: names).expect(nil) { "http://two.test:\($0.port)/photo-small.jpg" }
    }

    @Test func `a fetch over https from a server without TLS fails with tls-failed`() async throws {
        try await FaultBench().expect(.tlsFailed) { "https://127.0.0.1:\($0.port)/photo-small.jpg" }
    }

    @Test func `a fetch from a server that never answers the TLS hello fails with tls-failed or at the budget's end`()
        async throws
    {
        let silent = try LoopbackListener(at: LoopbackAddress(0, 0, 1), port: 0, waits: false)
        let port = silent.port
        var bench = FaultBench()
        bench.limits.connect = .milliseconds(150)
        try await bench.expect(.tlsFailed) { _ in "https://127.0.0.1:\(port)/x" }
        try await FaultBench(budget: .milliseconds(200)).expect(.budgetExceeded) { _ in "https://127.0.0.1:\(port)/x" }
        _ = consume silent
    }

    @Test func `a fetch from a server that closes the connection at the TLS hello fails with tls-failed`() async throws
    {
        let service = try TalkingService(at: LoopbackAddress(0, 0, 1), saying: "")
        defer { service.stop() }
        try await FaultBench().expect(.tlsFailed) { _ in "https://127.0.0.1:\(service.port)/x" }
    }

    @Test func `a fetch fails with tls-failed if the certificate is of an unknown authority`() async throws {
        let server = try ChildServer(isMultiplexed: true)
        try await FaultBench().expect(.tlsFailed) { _ in "https://127.0.0.1:\(server.port)/photo-small.jpg" }
    }

    @Test func `a fetch fails with tls-failed if the certificate is for another host`() async throws {
        let server = try ChildServer(isMultiplexed: true)
        var policy = FetchPolicy()
        policy.caFile = server.caFile
        let names = LoopbackNames(["other.test": [[LoopbackAddress(0, 0, 1)]], "h2.test": [[LoopbackAddress(0, 0, 1)]]])
        let bench = FaultBench(policy: policy, resolver: names)
        try await bench.expect(.tlsFailed) { _ in "https://other.test:\(server.port)/photo-small.jpg" }
        try await bench.expect(nil) { _ in "https://h2.test:\(server.port)/photo-small.jpg" }
    }

    @Test func `a redirect from https to http is refused`() async throws {
        let server = try ChildServer(isMultiplexed: true)
        var policy = FetchPolicy()
        policy.caFile = server.caFile
        try await FaultBench(policy: policy).expect(.redirectRefused) { _ in "https://127.0.0.1:\(server.port)/down" }
    }

    @Test(arguments: [
        "", "-ERR unknown command\r\n", "\u{0}\u{1}\u{2}", "HTTP/1.1 ",
        "HTTP/1.1 200 OK\r\nContent-Type: image/jpeg\r\n",
        "220 mail.test ESMTP\r\n", "HTTP/0.9 200 OK\r\n\r\nx", "HTTP/1.1 101 Switching Protocols\r\n\r\n",
    ])
    func `a fetch from a service that is no web server fails with the expected reason`(_ words: String) async throws {
        let service = try TalkingService(at: LoopbackAddress(0, 0, 1), saying: words)
        defer { service.stop() }
        let isSwitch = words.contains(" 101 ")
        try await FaultBench().expect(isSwitch ? .httpStatus : .connectionLost) { _ in
            "http://127.0.0.1:\(service.port)/x"
        }
    }

    @Test func `a fetch fails with truncated if the rest of a body begins at a position that was not requested`()
        async throws
    {
        let origin = try ScriptedOrigin([
            ScriptedOrigin.answer("200 OK", ["ETag: \"a\"", "Content-Length: 2000"], [UInt8](repeating: 1, count: 9)),
            ScriptedOrigin.answer("206 Partial Content", ["Content-Range: bytes 8-1999/2000"], [1, 2, 3]),
            ScriptedOrigin.answer("200 OK", ["ETag: \"a\"", "Content-Length: 2000"], [UInt8](repeating: 1, count: 9)),
        ])
        defer { origin.stop() }
        try await FaultBench().expect(.truncated) { _ in origin.url }
    }
}
