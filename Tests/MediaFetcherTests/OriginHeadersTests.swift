import Base
import Lab
import MediaFetcher
import NotificationModel
import TestSupport
import Testing

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

    /// A payload of one group must not fetch files with the token of another group.
    @Test func `only requests of a group send the token of the group`() async throws {
        let group = try #require(AppGroupName("group.a"))
        let headers = OriginHeaders(groups: [group: ["127.0.0.1": [("Authorization", "Bearer a")]]])
        try await OriginFixture.with(policy: FetchPolicy(headers: headers), store: MemoryResponseStore()) { fixture in
            for (sender, requests, authorized) in [(group, 1, 1), (.default, 2, 1), (nil, 2, 1), (group, 2, 1)] {
                let result = try await fixture.fetch("/header/Cache-Control:max-age=60/photo-small.jpg", for: sender)
                #expect(result.reason == nil)
                #expect(fixture.origin.counts.requests == requests)
                #expect(fixture.origin.counts.requestsAuthorized == authorized)
            }
        }
    }

    @Test func `simultaneous requests of groups with other tokens do not share a transfer`() async throws {
        let groups = try ["group.a", "group.b"].map { try #require(AppGroupName($0)) }
        let fields = Dictionary(
            uniqueKeysWithValues: groups.map { group in
                (group, ["127.0.0.1": [(name: "Authorization", value: "Bearer \(group)")]])
            })
        try await OriginFixture.with(policy: FetchPolicy(headers: OriginHeaders(groups: fields))) { fixture in
            await withTaskGroup(of: Void.self) { tasks in
                for group in groups + [.default, .default] {
                    tasks.addTask {
                        let result = try? await fixture.fetch("/delay/200ms/photo-small.jpg", for: group)
                        #expect(result?.reason == nil)
                    }
                }
            }
            #expect(fixture.origin.counts.requests == 3)
            #expect(fixture.origin.counts.requestsAuthorized == 2)
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
