import Authentication
import Base
import Foundation
import NotificationModel
import NotificationProcessor
import TestSupport
import Testing

/// Tests of the signed URLs of receipts in results.
@Suite(.timeLimit(.minutes(1))) struct ReceiptURLTests {
    private static let life: TimeInterval = 86_400

    private static func rules() throws -> PayloadRules {
        var rules = PayloadRules()
        rules.receiptURLs = ReceiptURLs(
            base: "https://push.example.com", keys: try URLSigningKeys(String(repeating: "k", count: 43)), life: life)
        return rules
    }

    private static func result(
        _ payload: String, _ rules: PayloadRules, change: (inout NotificationRequest) -> Void = { _ in }
    ) async throws -> (JSONValue, NotificationRequest) {
        let bench = PipelineBench(rules: rules)
        let request = try bench.request(payload, change)
        return (try #require(try await bench.process(request).first).json, request)
    }

    @Test func `a shown notification has a URL for each event, which ends after its lifetime`() async throws {
        let (result, request) = try await Self.result(#"{"aps":{"alert":"B"}}"#, try Self.rules()) {
            $0.recipient = "anna"
        }
        let urls = try #require(result["receiptURLs"]?.object)
        #expect(urls.keys == ["delivered", "clicked", "unseen", "read", "dismissed"])
        let url = try #require(urls["read"]?.string)
        #expect(url.hasPrefix("https://push.example.com/v1/signed-receipts/\(request.appGroup)/\(request.id)/read?"))
        let end = Int(request.receivedAt.timeIntervalSince1970 + Self.life)
        #expect(url.contains("?recipient=anna&expires=\(end)&signature="))
    }

    @Test func `a silent push, a rejected one and a configuration without a key have no URLs`() async throws {
        let silent = #"{"aps":{"content-available":1},"media":[{"url":"https://a.example/1"}]}"#
        let (prefetched, _) = try await Self.result(silent, try Self.rules())
        #expect(prefetched["outcome"] == "prefetched" && prefetched["receiptURLs"] == nil)
        let (rejected, _) = try await Self.result(#"{"aps":{"alert":"B"}}"#, try Self.rules()) {
            $0.permissions.service = false
        }
        #expect(rejected["outcome"] == "rejected" && rejected["receiptURLs"] == nil)
        let (plain, _) = try await Self.result(#"{"aps":{"alert":"B"}}"#, PayloadRules())
        #expect(plain["receiptURLs"] == nil)
    }
}
