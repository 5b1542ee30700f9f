import NIOCore
import Testing

@testable import HTTPAPI

/// Tests of the heads that are answered before the HTTP decoder. Any other input must reach the decoder.
@Suite struct PlainRequestTests {
    private func request(_ text: String) -> PlainRequest? { PlainRequest(ByteBuffer(string: text).readableBytesView) }

    @Test func `a usual head of a download is a plain request for a whole file`() throws {
        for fields in [
            "Host: a\r\n", "Host: a.example:8480\r\nUser-Agent: curl/7.88.1\r\nAccept: */*\r\n",
            "host:a\r\nACCEPT-ENCODING: gzip, deflate\r\nConnection: keep-alive\r\n", "Host: a\r\nReferer: \t x \r\n",
        ] {
            let head = try #require(request("GET /v1/media/g/f.jpg?expires=1 HTTP/1.1\r\n\(fields)\r\n"))
            #expect(head.target == "/v1/media/g/f.jpg?expires=1")
            #expect(head.isForWhole, "\(fields)")
        }
    }

    @Test(arguments: [
        "Range: bytes=0-1", "If-None-Match: *", "If-Match: \"a\"", "If-Range: \"a\"", "Authorization: Bearer t",
        "X-Request-Id: mine", "X-Forwarded-For: 192.0.2.1", "Forwarded: for=192.0.2.1", "Connection: close", "Host: b",
        "If-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT", "Connection: keep-alive, close",
        "Connection: close, keep-alive",
        "Te: trailers",
    ])
    func `a head with other fields is left to the decoder, which keeps nothing of it`(_ field: String) throws {
        let head = try #require(request("GET /a HTTP/1.1\r\nHost: a\r\n\(field)\r\n\r\n"))
        #expect(!head.isForWhole)
    }

    @Test(arguments: ["a:99999", "a:0x1", "a:+1", "a:", "a b", "", "a/b", "a,b"])
    func `a head with an unusual Host is left to the decoder`(_ host: String) throws {
        #expect(try #require(request("GET /a HTTP/1.1\r\nHost: \(host)\r\n\r\n")).isForWhole == false)
    }

    @Test func `a head of more than 48 fields is no plain request`() {
        let fields = String(repeating: "Accept: */*\r\n", count: 50)
        #expect(request("GET /a HTTP/1.1\r\nHost: a\r\n\(fields)\r\n") == nil)
    }

    @Test func `a head without Host is left to the decoder`() throws {
        #expect(try #require(request("GET /a HTTP/1.1\r\nAccept: */*\r\n\r\n")).isForWhole == false)
    }

    @Test(arguments: [
        // A body, or what another program may take for a body.
        "GET /a HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\n",
        "GET /a HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n",
        "GET /a HTTP/1.1\r\nHost: a\r\ntransfer-encoding: chunked\r\n\r\n",
        "GET /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding : chunked\r\n\r\n",
        "GET /a HTTP/1.1\r\nHost: a\r\n Transfer-Encoding: chunked\r\n\r\n",
        "GET /a HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n\r\n",
        "GET /a HTTP/1.1\r\nHost: a\r\nUpgrade: h2c\r\n\r\n",
        // More or less than one head.
        "GET /a HTTP/1.1\r\nHost: a\r\n", "GET /a HTTP/1.1\r\nHost: a\r\n\r", "GET /a HTTP/1.1\r\nHost: a\r\n\r\nGET",
        "GET /a HTTP/1.1\r\nHost: a\r\n\r\n\r\n", "\r\nGET /a HTTP/1.1\r\nHost: a\r\n\r\n", "", "\r\n", "\n",
        "GET /a HTTP/1.1",
        "GET /a HTTP/1.1\r\nHost: a\r\n\r\nGET /b HTTP/1.1\r\nHost: a\r\n\r\n",
        // Other line ends and control characters.
        "GET /a HTTP/1.1\nHost: a\n\n", "GET /a HTTP/1.1\r\nHost: a\n\r\n", "GET /a HTTP/1.1\r\nHost: a\r\rb\r\n\r\n",
        "GET /a HTTP/1.1\r\nHost: a\u{0}\r\n\r\n", "GET /a HTTP/1.1\r\nHost: a\u{7F}\r\n\r\n",
        "GET /a HTTP/1.1\r\nHost: ä\r\n\r\n",
        // A request line of another form.
        "HEAD /a HTTP/1.1\r\nHost: a\r\n\r\n", "GET /a HTTP/1.0\r\nHost: a\r\n\r\n",
        "GET /a HTTP/2.0\r\nHost: a\r\n\r\n",
        "GET  /a HTTP/1.1\r\nHost: a\r\n\r\n", "GET /a  HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /a b HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET http://a/b HTTP/1.1\r\nHost: a\r\n\r\n", "get /a HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET a HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /a HTTP/1.1 \r\nHost: a\r\n\r\n", "GET /a\u{9} HTTP/1.1\r\nHost: a\r\n\r\n",
        // Fields without a name.
        "GET /a HTTP/1.1\r\n: a\r\n\r\n", "GET /a HTTP/1.1\r\nHost\r\n\r\n", "GET /a HTTP/1.1\r\nHost : a\r\n\r\n",
        "GET /a HTTP/1.1\r\nH(ost: a\r\n\r\n",
    ])
    func `any other input is no plain request`(_ text: String) { #expect(request(text) == nil) }
}
