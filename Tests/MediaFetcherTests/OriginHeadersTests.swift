import Lab
import MediaFetcher
import NotificationModel
import Testing
import WebURL

@Suite struct OriginHeadersTests {
    private static let token = OriginHeaders(["127.0.0.1": [("Authorization", "Bearer t")]])

    @Test func `only the configured origin gets the token`() async throws {
        try await OriginFixture.with(policy: FetchPolicy(headers: Self.token)) { fixture in
            try await fixture.expect(nil, "/photo-small.jpg")
            #expect(fixture.origin.counts.requestsAuthorized == 1)
        }
        let other = OriginHeaders(["media.example.com": [("Authorization", "Bearer t")]])
        try await OriginFixture.with(policy: FetchPolicy(headers: other)) { fixture in
            try await fixture.expect(nil, "/photo-small.jpg")
            #expect(fixture.origin.counts.requestsAuthorized == 0)
        }
    }

    @Test func `a changed policy applies from the next fetch on`() async throws {
        try await OriginFixture.with { fixture in
            try await fixture.expect(nil, "/photo-small.jpg")
            var policy = FetchPolicy()
            policy.addresses = AddressPolicy(allowed: ["127.0.0.0/8"].compactMap(AddressRange.init))
            policy.headers = Self.token
            fixture.fetcher.change(policy)
            try await fixture.expect(nil, "/photo-small.jpg")
            #expect(fixture.origin.counts.requestsAuthorized == 1)
            fixture.fetcher.change(FetchPolicy())
            try await fixture.expect(.forbiddenAddress, "/photo-small.jpg")
        }
    }
}
