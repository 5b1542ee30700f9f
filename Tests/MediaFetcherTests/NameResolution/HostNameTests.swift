import Testing

@testable import MediaFetcher

struct HostNameTests {
    @Test(arguments: [
        ("cdn.example", "cdn.example"), ("CDN.Example.", "cdn.example"), ("localhost", "localhost"),
        ("xn--bcher-kva.example", "xn--bcher-kva.example"), ("_srv.a-b.1", "_srv.a-b.1"),
    ])
    func `a name is converted to lower case, and its final dot is removed`(text: String, name: String) {
        #expect(HostName(text)?.description == name)
    }

    @Test(arguments: [
        "", ".", "..", ".example", "a..b", "a b", "a/b", "a\0b", "a\\.b", "a:1", "[::1]", "::1", "%31", "bücher",
        "\u{212a}",
        "a.\n", String(repeating: "a", count: 64), String(repeating: "a.", count: 127) + "a",
    ])
    func `a text that is no host name is refused`(text: String) {
        #expect(HostName(text) == nil)
    }

    @Test func `a label of 63 bytes and a name of 253 bytes are accepted`() {
        #expect(HostName(String(repeating: "a", count: 63)) != nil)
        #expect(HostName(String(repeating: "a.", count: 126) + "a") != nil)
    }
}
