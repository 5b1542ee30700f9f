import Foundation
import NotificationModel
import Testing

@Suite struct InlineMediaTests {
    private func bytes(_ url: String) throws -> [UInt8] { Array(try #require(InlineMedia(url)).bytes()) }

    @Test(
        arguments: [
            ("data:image/png;base64,AQID", [1, 2, 3]), ("DATA:image/png;BASE64,AQID", [1, 2, 3]),
            ("data:;base64,AQI=", [1, 2]), ("data:;base64,AQI", [1, 2]), ("data:;base64,AQ", [1]),
            ("data:;base64,AQ==", [1]), ("data:;base64, A Q\nI\tD ", [1, 2, 3]), ("data:;base64,AQI%3D", [1, 2]),
            ("data:image/png; base64,%2B/8=", [0xFB, 0xFF]), ("data:,ab%00c", [97, 98, 0, 99]), ("data:,%4", [37, 52]),
            ("data:text/plain;charset=utf-8,a,b", [97, 44, 98]),
        ])
    func `bytes are decoded by the rules of browsers`(url: String, expected: [UInt8]) throws {
        #expect(try bytes(url) == expected)
    }

    @Test(arguments: [
        "data:;base64,A", "data:;base64,AQI=D", "data:;base64,AQ=", "data:;base64,=", "data:;base64,A$ID",
        "data:;base64,AQ-_", "data:;base64,é", "data:;base64,", "data:,",
    ])
    func `malformed or missing bytes are corrupt media`(url: String) throws {
        let inline = try #require(InlineMedia(url))
        #expect { try inline.bytes() } throws: { ($0 as? MediaFailure)?.reason == .corruptMedia }
    }

    @Test(arguments: [
        "https://a.example/data:,x", "data:image/png;base64", "dat:,x", "", "data", "data;,x", "mxc://a/b",
    ])
    func `a URL with another scheme or without a comma is refused`(url: String) {
        #expect(InlineMedia(url) == nil)
    }

    @Test(
        arguments: [
            ("data:Image/PNG;base64,AA==", "image/png"), ("data:image/svg+xml;charset=utf-8,x", "image/svg+xml"),
            ("data:,x", nil), ("data:base64,x", nil), ("data:;base64,AA==", nil),
        ] as [(String, String?)])
    func `the media type is the declared type`(url: String, type: String?) throws {
        #expect(try #require(InlineMedia(url)).declaredType == type)
    }

    @Test func `a long data URL is shown without its bytes, and a short data URL is shown unchanged`() {
        let short = "data:image/png;base64," + String(repeating: "A", count: 4_000)
        #expect(InlineMedia.shown(short) == short)
        let long = "data:image/png;base64," + String(repeating: "A", count: 5_000)
        #expect(InlineMedia.shown(long) == "data:image/png;base64,…")
        let wide = "data:" + String(repeating: "x", count: 5_000)
        #expect(InlineMedia.shown(wide).utf8.count < 200)
        let web = "https://a.example/" + String(repeating: "A", count: 5_000)
        #expect(InlineMedia.shown(web) == web)
    }
}
