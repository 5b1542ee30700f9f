import Testing

@testable import ServiceConfiguration

@Suite struct BaseURLTests {
    @Test(
        arguments: [
            ("https://media.example.com", "https://media.example.com"),
            ("HTTPS://Media.Example.COM./", "https://media.example.com"),
            ("http://homeassistant.local:8123/", "http://homeassistant.local:8123"),
            ("https://a.example/Push/v1//", "https://a.example/Push/v1"),
            ("https://[2001:DB8::1]/a", "https://[2001:db8::1]/a"),
            ("https://[::1]:65535", "https://[::1]:65535"), ("http://192.0.2.1:1", "http://192.0.2.1:1"),
            ("https://a.example/@b/%7Ec/d;e=f,g", "https://a.example/@b/%7Ec/d;e=f,g"),
            ("https://xn--bcher-kva.example/...", "https://xn--bcher-kva.example/..."),
        ])
    func `a base URL is normalised, and does not change when it is written and read again`(
        text: String, written: String
    ) throws {
        let url = try BaseURL(text)
        #expect(url.description == written)
        #expect(try BaseURL(written) == url)
    }

    @Test func `a base URL is parsed into scheme, host, port and path`() throws {
        let url = try BaseURL("http://[FD00::1]:8080/a/b/")
        #expect(url.scheme == "http")
        #expect(url.host == "fd00::1")
        #expect(url.port == 8_080)
        #expect(url.path == "/a/b")
        #expect(try BaseURL("https://a.example/").port == nil)
        #expect(try BaseURL("https://a.example/").path == "")
    }

    @Test(arguments: [
        "", "a", "://a", "https:", "https:/a", "https://", "https:///a", "ftp://a.example", "mxc://a/b", "//a.example",
        "https://a.example:", "https://a.example:0", "https://a.example:65536", "https://a.example:+1",
        "https://a.example:80:80", "https://::1", "https://[::1", "https://[::1]x", "https://[192.0.2.1]", "https://[]",
        "https://a b", "https://a.example/a b", "https://a.example/..", "https://a.example/./a", "https://a.example//a",
        "https://a.example/%", "https://a.example/%4", "https://a.example/%zz", "https://bücher.example",
        "https://a.example/ü", "https://a.example/a\\b", "https://a.example\\b", "https://a.example/\n", " https://a",
        "https://a.example/\u{301}", "https:\u{301}//a.example", "https://a.example:80\u{301}",
        "https://[::1\u{301}]:80",
    ])
    func `a text that is not a base URL is refused`(text: String) {
        #expect(throws: BaseURL.Problem.form) { try BaseURL(text) }
    }

    @Test(arguments: ["https://u:s3cr3t@a.example", "https://s3cr3t@a.example/b", "https://@a.example", "x://a@b/c"])
    func `credentials in a base URL are refused`(text: String) {
        #expect(throws: BaseURL.Problem.credentials) { try BaseURL(text) }
    }

    @Test(arguments: ["https://a.example?", "https://a.example/b?token=s3cr3t", "https://a.example/#b", "?", "#@"])
    func `a query or a fragment in a base URL is refused`(text: String) {
        #expect(throws: BaseURL.Problem.query) { try BaseURL(text) }
    }

    @Test(
        arguments: [
            (
                "publicURL: a.example",
                "publicURL: \"a.example\" is not an https or http URL, such as https://media.example.com/push"
            ),
            (
                "publicURL: ~",
                "publicURL: has no value: it must be an https or http URL, such as https://media.example.com/push"
            ),
            (
                "matrix: {homeserver: 'ftp://a.example'}",
                "matrix.homeserver: \"ftp://a.example\" is not an https or http URL, such as https://media.example.com/push"
            ),
            (
                "homeassistant: {baseURL: 'https://u:s3cr3t@a.example'}",
                "homeassistant.baseURL: the URL has credentials in it: remove the part before the @"
            ),
            (
                "publicURL: 'https://a.example/?sig=s3cr3t'",
                "publicURL: the URL has a query or fragment: remove the ? or # and everything after it"
            ),
            (
                "publicURL: u:s3cr3t@a.example",
                "publicURL: the text with an @ is not an https or http URL, such as https://media.example.com/push"
            ),
        ])
    func `the error about a URL does not repeat a possible secret`(yaml: String, problem: String) throws {
        #expect(try ConfigurationFixture(yaml).problems() == ["appgroupd.yaml:1: \(problem)"])
    }
}
