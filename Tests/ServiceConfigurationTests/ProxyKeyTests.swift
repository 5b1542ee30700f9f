import NotificationModel
import ServiceConfiguration
import Testing

/// Tests of the keys of the egress proxy. No message about an error repeats a password.
@Suite struct ProxyKeyTests {
    private let fixture: ConfigurationFixture

    init() throws { fixture = try ConfigurationFixture() }

    private func problem(_ key: String, _ value: String) throws -> String? {
        try fixture.write("fetch:\n  \(key): \(value)")
        let problems = fixture.problems()
        #expect(problems.count <= 1)
        return problems.first
    }

    @Test(arguments: [
        "http://proxy", "http://proxy/", "HTTPS://Proxy.Example:8443", "http://192.0.2.1:3128", "http://[::1]:1",
    ])
    func `a proxy is configured by the URL of a host`(_ url: String) throws {
        #expect(try problem("proxy", "\"\(url)\"") == nil)
        #expect(try fixture.load().fetch.proxy?.path == "")
    }

    @Test(arguments: [
        "proxy.example:3128", "socks5://proxy:1080", "http://proxy:0", "http://proxy/path", "http://proxy?x", "http://",
        "http:///x", "http://pro xy:1", "http://proxy:99999",
    ])
    func `a text that is not the URL of a host is refused with an example`(_ text: String) throws {
        let expected = "an http or https URL of a host and a port, such as http://proxy.example.com:3128"
        #expect(
            try problem("proxy", "\"\(text)\"") == "appgroupd.yaml:2: fetch.proxy: \"\(text)\" is not \(expected)")
    }

    @Test(arguments: ["http://user:s3cr3t@proxy:3128", "http://s3cr3t@proxy", "user:s3cr3t@proxy"])
    func `credentials in the URL are refused, and the message does not show the credentials`(_ url: String) throws {
        let problem = try #require(try problem("proxy", "\"\(url)\""))
        #expect(problem.contains("write USER:PASSWORD into a file, and name the file in fetch.proxyCredentials"))
        #expect(!problem.contains("s3cr3t"))
    }

    @Test(arguments: ["user:s3cr3t", "user:s3cr3t\n", "user:", "u:a:b:@/%41 ü"])
    func `a credentials file is read as a user and a password`(_ text: String) throws {
        let path = try fixture.file("user", text)
        #expect(try problem("proxyCredentials", path) == nil)
        let file = try #require(try fixture.load().fetch.proxyCredentials)
        #expect(file.secret.value == (text.hasSuffix("\n") ? String(text.dropLast()) : text) && file.path == path)
    }

    @Test(arguments: ["s3cr3t", ":s3cr3t", "user:s3cr3t\nother", "user:s3\tcr3t"])
    func `a file without a user and a password is refused, and the message does not show its text`(_ text: String)
        throws
    {
        #expect(
            try problem("proxyCredentials", try fixture.file("user", text))
                == "appgroupd.yaml:2: fetch.proxyCredentials: user has no user and password: write USER:PASSWORD into it, on one line"
        )
    }

    @Test func `a credentials file that other users can read is refused`() throws {
        let problem = try problem("proxyCredentials", try fixture.file("user", "user:s3cr3t", mode: 0o644))
        #expect(problem?.hasSuffix("user has a secret, and all users can read or write it: chmod o-rw user") == true)
    }

    @Test(arguments: [
        "a.example:443", "http://a.example", "*", ".", "*.", "a*.example", "10.0.0.0/33", ".10.0.0.1", "",
    ])
    func `an entry of noProxy that is not a host is refused`(_ entry: String) throws {
        let problem = try problem("noProxy", "[\"\(entry)\"]")
        #expect(problem?.contains("\"\(entry)\" is not a host, the names below a host") == true, "\(problem ?? "")")
    }

    @Test(arguments: ["yes", "1", "on", "TRUE"])
    func `proxyResolves accepts only true and false`(_ text: String) throws {
        #expect(
            try problem("proxyResolves", "\"\(text)\"")
                == "appgroupd.yaml:2: fetch.proxyResolves: \"\(text)\" is not true or false")
    }
}
