import Testing

@testable import MediaFetcher

@Suite struct HostProtocolsTests {
    @Test func `a host is unknown until it is connected to, and known by its answer`() {
        var protocols = HostProtocols()
        #expect(protocols["a:443"] == nil)
        protocols.noteConnection(to: "a:443", on: 2)
        #expect(protocols["a:443"] == .connected(on: 2))
        protocols.note("h2", of: "a:443")
        #expect(protocols["a:443"] == .multiplexed)
        #expect(protocols["b:443"] == nil)
    }

    @Test func `a later connection says less than an answer`() {
        var protocols = HostProtocols()
        protocols.note("http/1.1", of: "a:443")
        protocols.noteConnection(to: "a:443", on: 2)
        #expect(protocols["a:443"] == .oneByOne)
    }

    @Test func `a connection without an answer is forgotten, and an answer is not`() {
        var protocols = HostProtocols()
        protocols.noteConnection(to: "a:443", on: 2)
        protocols.note(nil, of: "a:443")
        #expect(protocols["a:443"] == nil)
        protocols.note("h2", of: "a:443")
        protocols.note(nil, of: "a:443")
        #expect(protocols["a:443"] == .multiplexed)
    }
}
