import Testing

@testable import MediaFetcher

struct NameServerAddressTests {
    @Test(arguments: [
        ("192.0.2.1", "192.0.2.1:53"), ("192.0.2.1:5353", "192.0.2.1:5353"), ("2001:db8::1", "[2001:db8::1]:53"),
        ("[2001:db8::1]:1", "[2001:db8::1]:1"), ("127.0.0.1:65535", "127.0.0.1:65535"),
    ])
    func `an address without a port gets port 53`(written: String, text: String) {
        #expect(NameServerAddress(written)?.text == text)
    }

    @Test(arguments: [
        "", ":", ":53", "dns.example", "dns.example:53", "192.0.2.1:", "192.0.2.1:0", "192.0.2.1:65536", "192.0.2.1:+1",
        "192.0.2.1:53,192.0.2.2", "[192.0.2.1]:53", "[2001:db8::1]", "[2001:db8::1", "[::1]:", "192.0.2.1 ", "::1%lo",
        "0x7f.1:53",
    ])
    func `a text that is no address is refused`(written: String) {
        #expect(NameServerAddress(written) == nil)
    }
}
