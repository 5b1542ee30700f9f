import NotificationModel
import Testing

@testable import MediaFetcher

/// The tests of redirect targets. They make no connections.
@Suite struct RedirectValidationTests {
    private let policy: FetchPolicy = {
        var policy = FetchPolicy()
        policy.addresses = AddressPolicy(own: .known([]))
        policy.hosts = HostAllowlist(denied: ["denied.example"])
        return policy
    }()

    @Test(arguments: [
        ("y", "https://a.example/x/y"), ("/y?z#f", "https://a.example/y?z"), ("../../y", "https://a.example/y"),
        ("?z", "https://a.example/x/p?z"), ("//b.example/y", "https://b.example/y"), ("#f", "https://a.example/x/p?q"),
        ("https://B.example:443", "https://b.example/"), ("HTTPS://1.1.1.1/", "https://1.1.1.1/"),
        ("y\u{fc}", "https://a.example/x/y%C3%BC"), ("y z", "https://a.example/x/y%20z"),
        ("", "https://a.example/x/p?q"),
        ("./y;a=b", "https://a.example/x/y;a=b"), ("/\u{301}", "https://a.example/%CC%81"),
    ])
    func `a reference is resolved against the URL of its response`(_ reference: String, _ target: String) throws {
        let origin = try policy.validate("https://a.example/x/p?q")
        let judged = try policy.validate(reference, redirectedFrom: origin)
        #expect(judged.text == target)
    }

    @Test(arguments: [
        ("http://a.example/", DegradationReason.redirectRefused, "from https to http"),
        ("HTTP://a.example/", .redirectRefused, "from https to http"),
        ("gopher://127.0.0.1:6379/_x", .redirectRefused, "only http and https"),
        ("file:///etc/passwd", .redirectRefused, "only http and https"),
        ("\\\\127.0.0.1\\x", .redirectRefused, "backslash"), ("/\\127.0.0.1/", .redirectRefused, "backslash"),
        ("//u:p@b.example/", .redirectRefused, "user name"),
        ("//b.example:99999/", .redirectRefused, "may not be fetched"),
        ("//b.example:0/", .redirectRefused, "port"), ("//localhost/", .redirectRefused, "RFC 6761"),
        ("//denied.example/", .redirectRefused, "the host is in fetch.denyHosts"),
        ("//b .example/", .redirectRefused, "percent"),
        ("y\r\nHost: b", .redirectRefused, "control"), ("y\u{0}z", .redirectRefused, "NUL"),
        ("//127.0.0.1/", .forbiddenAddress, "not public"), ("//2130706433/", .forbiddenAddress, "not public"),
        ("//[::ffff:127.0.0.1]/", .forbiddenAddress, "not public"), ("//a.example:22/", .forbiddenAddress, "port 22"),
        ("https:127.0.0.1", .redirectRefused, "to a URL that may not be fetched"),
    ])
    func `the error of a refused redirect names the fault of the target`(
        _ reference: String, _ reason: DegradationReason, _ words: String
    ) throws {
        let origin = try policy.validate("https://a.example/x/p?q")
        let failure = #expect(throws: MediaFailure.self) { try policy.validate(reference, redirectedFrom: origin) }
        #expect(failure?.reason == reason)
        #expect(failure?.detail.contains(words) == true, "\(failure?.detail ?? "")")
    }

    @Test func `a redirect from http may lead to http and to https`() throws {
        let origin = try policy.validate("http://a.example/")
        for target in ["http://b.example/", "https://b.example/"] {
            let judged = try policy.validate(target, redirectedFrom: origin)
            #expect(judged.text == target)
        }
    }
}
