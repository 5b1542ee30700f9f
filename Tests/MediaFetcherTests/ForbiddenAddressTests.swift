import Lab
import MediaFetcher
import NotificationModel
import Testing

/// The tests of forbidden addresses. The origin counts the connections that reach it.
@Suite struct ForbiddenAddressTests {
    @Test func `an address in an allowed range is reached, and the address after the range is refused`() async throws {
        try await OriginFixture.with(allowing: ["127.0.0.1"]) { fixture in
            let port = fixture.origin.port
            try await fixture.expect(nil, url: "http://127.0.0.1:\(port)/photo-small.jpg")
            try await fixture.expect(.forbiddenAddress, url: "http://127.0.0.2:\(port)/photo-small.jpg")
            #expect(fixture.origin.counts.connectionsAccepted == 1)
        }
    }

    @Test func `localhost is resolved and reached only if loopback is allowed`() async throws {
        try await OriginFixture.with(allowing: ["127.0.0.0/8", "::1"]) { fixture in
            try await fixture.expect(nil, url: "http://localhost:\(fixture.origin.port)/photo-small.jpg")
        }
        try await OriginFixture.with(allowing: []) { fixture in
            try await fixture.expect(.forbiddenHost, url: "http://localhost:\(fixture.origin.port)/photo-small.jpg")
            #expect(fixture.origin.counts.connectionsAccepted == 0)
        }
    }

    @Test func `a redirect to a refused address makes no connection`() async throws {
        try await OriginFixture.with(allowing: ["127.0.0.1"]) { fixture in
            let target = "http%3A%2F%2F127.0.0.2%3A\(fixture.origin.port)%2Fphoto-small.jpg"
            try await fixture.expect(.forbiddenAddress, "/redirect/to/\(target)")
            #expect(fixture.origin.counts.requests == 1)
        }
    }
}
