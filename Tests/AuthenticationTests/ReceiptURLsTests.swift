import Authentication
import FoundationEssentials
import NotificationModel
import Testing

/// Tests of the form of the signed URLs of receipts. `SignedReceiptTests` has the calls.
@Suite struct ReceiptURLsTests {
    private static let now = Date(timeIntervalSince1970: 1_000_000_000)

    private static func urls() throws -> ReceiptURLs {
        ReceiptURLs(
            base: "https://push.example.com/p", keys: try URLSigningKeys(String(repeating: "k", count: 43)), life: 60)
    }

    private static func key() throws -> RequestKey { RequestKey(group: .default, id: try #require(RequestID("m:1"))) }

    @Test func `a signature is the HMAC of the path, the recipient and the end, as OpenSSL computes it`() throws {
        let urls = try Self.urls().urls(of: try Self.key(), to: "anna b", at: Self.now)
        #expect(urls.map(\.event) == [.delivered, .clicked, .unseen, .read, .dismissed])
        // printf '/v1/signed-receipts/group.default/m%%3A1/delivered?recipient=anna%%20b&expires=1000000060' |
        // openssl dgst -sha256 -hmac kkk… -binary | basenc --base64url
        #expect(
            urls.first?.url
                == "https://push.example.com/p/v1/signed-receipts/group.default/m%3A1/delivered?recipient=anna%20b&expires=1000000060&signature=ZFzeudcJWdepUIURMFxXpqY0vYmX7qDhjhDbnfRZ5yI"
        )
    }

    @Test func `the URL of a notification without a recipient has no parameter for one`() throws {
        let url = try #require(try Self.urls().urls(of: try Self.key(), to: nil, at: Self.now).last?.url)
        #expect(url.hasPrefix("https://push.example.com/p/v1/signed-receipts/group.default/m%3A1/dismissed?expires="))
    }

    @Test func `the signature of a rendition's URL is not valid for a receipt`() throws {
        let keys = try URLSigningKeys(String(repeating: "k", count: 43))
        let media = MediaURLs(base: "", keys: keys).url(of: "f.jpg", in: .default, until: Self.now)
        let signature = try #require(media.split(separator: "=").last)
        #expect(throws: URLRefusal.forged) {
            try Self.urls().check(
                .read, of: try Self.key(), to: nil, until: "1000000000", signature: String(signature), at: Self.now)
        }
    }
}
