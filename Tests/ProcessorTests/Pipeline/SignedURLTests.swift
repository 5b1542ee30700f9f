import Authentication
import Base
import Foundation
import NotificationModel
import NotificationProcessor
import TestSupport
import Testing

/// Tests of signed public URLs. Their files are kept until the URLs end.
@Suite(.timeLimit(.minutes(1))) struct SignedURLTests {
    private static let payload = #"{"aps":{"alert":"B","mutable-content":1},"image":"https://a.example/1"}"#

    private static func rules(life: TimeInterval) throws -> PayloadRules {
        let keys = try URLSigningKeys(String(repeating: "k", count: 43))
        return PayloadRules(mediaURLs: MediaURLs(base: "https://push.example.com", keys: keys, life: life))
    }

    /// Returns the end of a signed URL.
    private static func end(of url: String?) throws -> Date {
        let text = try #require(url?.split(separator: "expires=").last?.split(separator: "&").first)
        return Date(timeIntervalSince1970: try #require(TimeInterval(text)))
    }

    @Test func `the files of a message are kept until its URLs end`() async throws {
        let bench = PipelineBench(rules: try Self.rules(life: 7 * 86_400))
        let request = try bench.request(Self.payload)
        let notification = try #require(try await bench.process(request).first)
        let end = try Self.end(of: notification.attachments.first?.publicURL)
        #expect(end > request.deadline.addingTimeInterval(6 * 86_400))
        #expect(!bench.store.holds.isEmpty && bench.store.holds.allSatisfy { $0 == end })
    }

    @Test func `the URLs end with their message`() async throws {
        let bench = PipelineBench(rules: try Self.rules(life: 7 * 86_400))
        let seconds = Int(bench.clock.date.timeIntervalSince1970) + 3_600
        let request = try bench.request(Self.payload) { $0.headers = ["apns-expiration": .string("\(seconds)")] }
        let notification = try #require(try await bench.process(request).first)
        let end = try Self.end(of: notification.attachments.first?.publicURL)
        #expect(end == Date(timeIntervalSince1970: TimeInterval(seconds)))
        #expect(bench.store.holds.allSatisfy { $0 == end })
    }

    @Test func `a file is kept until the deadline if its URL ends before`() async throws {
        let bench = PipelineBench(rules: try Self.rules(life: 1))
        let request = try bench.request(Self.payload)
        _ = try await bench.process(request)
        #expect(!bench.store.holds.isEmpty && bench.store.holds.allSatisfy { $0 == request.deadline })
    }

    @Test func `unsigned URLs keep no file longer than the deadline`() async throws {
        let bench = PipelineBench(rules: PayloadRules(mediaURLs: MediaURLs(base: "https://push.example.com")))
        let request = try bench.request(Self.payload)
        let notification = try #require(try await bench.process(request).first)
        #expect(notification.attachments.first?.publicURL?.hasSuffix(".jpg") == true)
        #expect(!bench.store.holds.isEmpty && bench.store.holds.allSatisfy { $0 == request.deadline })
    }
}
