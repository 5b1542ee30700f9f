import Glibc
import Lab
import MediaFetcher
import NotificationModel
import TestSupport
import Testing

/// Each fault before the first byte of an answer: names, connections, TLS, and services that are no web servers.
@Suite(.serialized, .timeLimit(.minutes(2))) struct ConnectionFaultTests {
    @Test func `a name that does not exist`() async throws {
        try await FaultBench(resolver: LoopbackNames([:])).expect(.dnsFailed) { "http://nowhere.test:\($0.port)/x" }
    }

    @Test func `a port without a listener`() async throws {
        let failure = try await FaultBench().expect(.connectFailed) { origin in
            await origin.stop()
            return origin.baseURL + "/photo-small.jpg"
        }
        #expect(failure?.detail.isEmpty == false)
    }

    @Test func `a host that takes no connections`() async throws {
        let full = try FullListener()
        var bench = FaultBench()
        bench.limits.connect = .milliseconds(150)
        try await bench.expect(.connectFailed) { _ in "http://127.0.0.1:\(full.port)/x" }
        try await FaultBench(budget: .milliseconds(200)).expect(.budgetExceeded) { _ in
            "http://127.0.0.1:\(full.port)/x"
        }
    }

    @Test func `one of several addresses that takes no connections does not keep from the others`() async throws {
        let names = LoopbackNames(["two.test": [[LoopbackAddress(0, 0, 9), LoopbackAddress(0, 0, 1)]]])
        try await FaultBench(resolver: names).expect(nil) { "http://two.test:\($0.port)/photo-small.jpg" }
    }

    @Test func `a server that speaks no TLS`() async throws {
        try await FaultBench().expect(.tlsFailed) { "https://127.0.0.1:\($0.port)/photo-small.jpg" }
    }

    @Test func `a server that never answers the hello`() async throws {
        let silent = try LoopbackListener(at: LoopbackAddress(0, 0, 1), port: 0, waits: false)
        let port = silent.port
        var bench = FaultBench()
        bench.limits.connect = .milliseconds(150)
        try await bench.expect(.tlsFailed) { _ in "https://127.0.0.1:\(port)/x" }
        try await FaultBench(budget: .milliseconds(200)).expect(.budgetExceeded) { _ in "https://127.0.0.1:\(port)/x" }
        _ = consume silent
    }

    @Test func `a server that hangs up at the hello`() async throws {
        let service = try TalkingService(at: LoopbackAddress(0, 0, 1), saying: "")
        defer { service.stop() }
        try await FaultBench().expect(.tlsFailed) { _ in "https://127.0.0.1:\(service.port)/x" }
    }

    @Test func `a certificate that nobody has signed`() async throws {
        let server = try ChildServer(isMultiplexed: true)
        try await FaultBench().expect(.tlsFailed) { _ in "https://127.0.0.1:\(server.port)/photo-small.jpg" }
    }

    @Test func `a certificate for another host`() async throws {
        let server = try ChildServer(isMultiplexed: true)
        var policy = FetchPolicy()
        policy.caFile = server.caFile
        let names = LoopbackNames(["other.test": [[LoopbackAddress(0, 0, 1)]], "h2.test": [[LoopbackAddress(0, 0, 1)]]])
        let bench = FaultBench(policy: policy, resolver: names)
        try await bench.expect(.tlsFailed) { _ in "https://other.test:\(server.port)/photo-small.jpg" }
        try await bench.expect(nil) { _ in "https://h2.test:\(server.port)/photo-small.jpg" }
    }

    @Test func `a redirect from https to http`() async throws {
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
    func `a service that is no web server`(_ words: String) async throws {
        let service = try TalkingService(at: LoopbackAddress(0, 0, 1), saying: words)
        defer { service.stop() }
        let isSwitch = words.contains(" 101 ")
        try await FaultBench().expect(isSwitch ? .httpStatus : .connectionLost) { _ in
            "http://127.0.0.1:\(service.port)/x"
        }
    }

    @Test func `a rest that is encoded, unasked`() async throws {
        let origin = try ScriptedOrigin([
            ScriptedOrigin.answer("200 OK", ["ETag: \"a\"", "Content-Length: 2000"], [UInt8](repeating: 1, count: 9)),
            ScriptedOrigin.answer(
                "206 Partial Content", ["Content-Range: bytes 9-1999/2000", "Content-Encoding: gzip"], [1, 2, 3]),
        ])
        defer { origin.stop() }
        try await FaultBench().expect(.unsupportedMedia) { _ in origin.url }
    }

    @Test func `a rest that is another part than was asked for`() async throws {
        let origin = try ScriptedOrigin([
            ScriptedOrigin.answer("200 OK", ["ETag: \"a\"", "Content-Length: 2000"], [UInt8](repeating: 1, count: 9)),
            ScriptedOrigin.answer("206 Partial Content", ["Content-Range: bytes 8-1999/2000"], [1, 2, 3]),
            ScriptedOrigin.answer("200 OK", ["ETag: \"a\"", "Content-Length: 2000"], [UInt8](repeating: 1, count: 9)),
        ])
        defer { origin.stop() }
        try await FaultBench().expect(.truncated) { _ in origin.url }
    }
}
