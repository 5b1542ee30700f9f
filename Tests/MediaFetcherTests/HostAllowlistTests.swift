import Lab
import MediaFetcher
import NotificationModel
import Testing

@Suite struct HostAllowlistTests {
    @Test(arguments: [
        ("media.example.com", true), ("MEDIA.Example.com", true), ("media.example.com.", true),
        ("a.cdn.example.net", true), ("a.b.cdn.example.net", true), ("cdn.example.net", false),
        ("evilcdn.example.net", false), (".cdn.example.net", false), ("example.com", false),
        ("media.example.com.evil.example", false), ("bad.cdn.example.net", false), ("[2001:db8::1]", true), ("", false),
    ])
    func `an allowlist allows the hosts that it names, and no similar names`(host: String, isAllowed: Bool) {
        let rule = HostAllowlist(
            allowed: ["media.example.com", "*.cdn.example.net", "2001:db8::1"], denied: ["bad.cdn.example.net"])
        #expect((rule.refusal(of: host) == nil) == isAllowed)
    }

    @Test func `an empty allowlist allows every host`() {
        #expect(HostAllowlist().refusal(of: "anything.example") == nil)
    }

    @Test func `a denied host gets no connection, and a redirect to it is refused`() async throws {
        try await OriginFixture.with(policy: FetchPolicy(hosts: HostAllowlist(denied: ["127.0.0.1"]))) { fixture in
            try await fixture.expect(.forbiddenHost, "/photo-small.jpg")
            #expect(fixture.origin.counts.connectionsAccepted == 0)
        }
        try await OriginFixture.with(policy: FetchPolicy(hosts: HostAllowlist(allowed: ["127.0.0.1"]))) { fixture in
            try await fixture.expect(.redirectRefused, "/redirect/to/http%3A%2F%2Flocalhost%2Fphoto.jpg")
        }
    }

    @Test(arguments: ["b\u{fc}cher.example", "B\u{dc}CHER.example", "xn--bcher-kva.example"])
    func `a name with non-ASCII letters is compared in its ASCII form`(host: String) async throws {
        try await OriginFixture.with(policy: FetchPolicy(hosts: HostAllowlist(denied: ["xn--bcher-kva.example"]))) {
            fixture in
            try await fixture.expect(.forbiddenHost, url: "https://\(host)/photo-small.jpg")
        }
    }
}
