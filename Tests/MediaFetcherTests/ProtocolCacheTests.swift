import Base
import NotificationModel
import TestSupport
import Testing

@testable import MediaFetcher

@Suite struct ProtocolCacheTests {
    @Test func `the cached protocol of a host is the protocol of its last response`() {
        var protocols = ProtocolCache()
        #expect(protocols["a:443"] == nil)
        protocols.note("h2", of: "a:443")
        #expect(protocols["a:443"] == .multiplexed)
        protocols.note("http/1.1", of: "a:443")
        #expect(protocols["a:443"] == .http1)
        #expect(protocols["b:443"] == nil)
    }

    @Test func `a connection without a response does not replace the known protocol of a host`() {
        var protocols = ProtocolCache()
        protocols.noteConnection(to: "a:443")
        #expect(protocols["a:443"] == .connected)
        protocols.note("http/1.1", of: "a:443")
        protocols.noteConnection(to: "a:443")
        #expect(protocols["a:443"] == .http1)
        #expect(ProtocolCache.Kind.connected.maxTransfers == 100 && ProtocolCache.Kind.http1.maxTransfers == .max)
    }

    @Test func `a transfer without a response does not change the protocol of a host`() {
        var protocols = ProtocolCache()
        protocols.note(nil, of: "a:443")
        #expect(protocols["a:443"] == nil)
        protocols.note("h2", of: "a:443")
        protocols.note(nil, of: "a:443")
        #expect(protocols["a:443"] == .multiplexed)
    }

    @Test func `a host that has flooded a connection is offered HTTP/2 again after ten minutes`() {
        var protocols = ProtocolCache()
        let now = MonotonicInstant.now
        #expect(protocols.allowsHTTP2("a:443", at: now))
        protocols.noteFlood(of: "a:443", at: now)
        #expect(!protocols.allowsHTTP2("a:443", at: now + .seconds(599)))
        #expect(protocols.allowsHTTP2("b:443", at: now))
        #expect(protocols.allowsHTTP2("a:443", at: now + .seconds(600)))
    }
}
