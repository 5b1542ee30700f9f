import Authentication
import Base
import FoundationEssentials
import NotificationModel
import TestSupport
import Testing

@testable import Features
@testable import HTTPAPI

/// Tests of receipts by signed URLs.
@Suite(.timeLimit(.minutes(1))) struct SignedReceiptTests {
    private struct Receipts: ReceiptIntake {
        let taken = Record<Receipt>()

        func record(_ receipt: Receipt) async -> ReceiptAnswer {
            taken.append(receipt)
            return .recorded(notifications: 1, cancelled: 0)
        }
    }

    private static let base = "https://push.example.com"
    private static let key = RequestKey(group: .default, id: FakeCoordinator.key("m:1").id)

    private static func urls(_ letter: Character = "k") throws -> ReceiptURLs {
        ReceiptURLs(
            base: base, keys: try URLSigningKeys(String(repeating: letter, count: 43)), life: 60)
    }

    /// Returns the path and the query of the URL of an event.
    private static func target(_ event: Receipt.Event, to recipient: String? = "anna b") throws -> String {
        let urls = try urls().urls(of: key, to: recipient, at: ManualClock().date)
        return String(try #require(urls.first { $0.event == event }).url.dropFirst(base.count))
    }

    /// Runs a server whose other routes need a token.
    private static func run(
        _ signed: ReceiptURLs?, _ receipts: Receipts = Receipts(), clock: ManualClock = ManualClock(),
        _ body: @Sendable (ServerBench) async throws -> Void
    ) async throws {
        var settings = HTTPServerSettings()
        settings.needsToken = true
        settings.monitoring = .init(port: 0)
        try await ServerBench.run(
            settings, clock: clock, receipts: receipts, signedReceipts: SignedReceipts(signed), body)
    }

    @Test func `a device without a token sends each receipt by its signed URL, from a page of any origin`() async throws
    {
        let receipts = Receipts()
        try await Self.run(try Self.urls(), receipts) { server in
            for event in ReceiptURLs.events {
                for recipient in ["anna b", nil] {
                    let answer = try await server.send(
                        "POST", try Self.target(event, to: recipient), ["Origin: https://shop.example"],
                        body: "ignored", host: "push.example.com")
                    #expect(answer.status == 200, "\(answer.body)")
                    #expect(answer["access-control-allow-origin"] == "*")
                    #expect(answer.json == ["notifications": 1, "cancelled": 0])
                }
            }
            let early = try await server.send("POST", try Self.target(.read) + "&at=2020-01-01T00:00:00Z")
            #expect(early.status == 200)
        }
        let taken = receipts.taken.elements
        #expect(taken.count == 11 && taken.allSatisfy { $0.target == .id(Self.key.id) && $0.group == .default })
        #expect(taken[0].recipients == ["anna b"] && taken[1].recipients == nil)
        #expect(taken.last?.at == Date(timeIntervalSince1970: 1_577_836_800))
    }

    @Test func `a URL with another group, id, event, recipient or end, or with a changed signature, is refused`()
        async throws
    {
        let receipts = Receipts()
        let target = try Self.target(.delivered)
        let query = try #require(target.split(separator: "?").last)
        let path = try #require(target.split(separator: "?").first)
        let signature = try #require(target.split(separator: "=").last)
        let changed = (signature.first == "A" ? "B" : "A") + signature.dropFirst()
        let refused: [(String, String)] = [
            (target.replacing("group.default", with: "group.other"), "forged"),
            (target.replacing("m%3A1", with: "m%3A2"), "forged"),
            (target.replacing("delivered", with: "clicked"), "forged"),
            (target.replacing("delivered", with: "deleted"), "forged"),
            (target.replacing("anna", with: "ben"), "forged"),
            (target.replacing("recipient=anna%20b&", with: ""), "forged"),
            (target.replacing("expires=", with: "expires=9"), "forged"),
            (target.replacing("expires=", with: "expires=0"), "forged"),
            (target.replacing(signature, with: changed), "forged"), (target + "A", "forged"), (target + "=", "forged"),
            (String(target.dropLast()), "forged"),
            (try Self.target(.delivered, to: nil).replacing("?", with: "?recipient=anna&"), "forged"),
            (String(path), "unsigned"), ("\(path)?recipient=anna%20b", "unsigned"),
            ("\(path)?\(query.split(separator: "&").dropLast().joined(separator: "&"))", "unsigned"),
        ]
        try await Self.run(try Self.urls(), receipts) { server in
            for (target, refusal) in refused {
                let answer = try await server.send("POST", target)
                #expect(answer.status == 403, "\(target) \(answer.head)")
                #expect(answer.json?["refusal"]?.string == refusal, "\(target) \(answer.body)")
                // A page of any origin can read why its receipt was refused.
                #expect(answer.head.lowercased().contains("access-control-allow-origin: *"), "\(answer.head)")
            }
            for (suffix, status) in [("&by=thread", 400), ("&recipient=anna%20b", 400), ("&group=group.a", 400)] {
                #expect(try await server.send("POST", target + suffix).status == status, "\(suffix)")
            }
            #expect(try await server.send("POST", target.replacing("delivered", with: "opened")).status == 404)
            #expect(try await server.send("POST", target, ["Authorization: Bearer wrong"]).status == 401)
            // The route has one method, and an unknown route needs a token.
            #expect(try await server.send("GET", target).status == 401)
            // The signature is no credential of the route for callers with a token.
            let other = target.replacing("/v1/signed-receipts/group.default", with: "/v1/receipts")
            #expect(try await server.send("POST", other).status == 401)
            let monitoring = try await server.send("POST", target, port: server.monitoringPort)
            #expect(monitoring.status == 404)
        }
        #expect(receipts.taken.elements.isEmpty)
    }

    @Test func `a URL is valid until its end, and with either key during a rotation`() async throws {
        let (receipts, clock) = (Receipts(), ManualClock())
        let target = try Self.target(.read)
        let both = ReceiptURLs(
            base: Self.base,
            keys: try URLSigningKeys("\(String(repeating: "n", count: 43))\n\(String(repeating: "k", count: 43))"),
            life: 60)
        try await Self.run(both, receipts, clock: clock) { server in
            #expect(try await server.send("POST", target).status == 200)
            clock.advance(by: .seconds(59))
            #expect(try await server.send("POST", target).status == 200)
            clock.advance(by: .seconds(1))
            let late = try await server.send("POST", target)
            #expect(late.status == 403)
            #expect(late.json?["refusal"]?.string == "expired")
        }
        try await Self.run(try Self.urls("n"), receipts) { server in
            let answer = try await server.send("POST", target)
            #expect(answer.json?["refusal"]?.string == "forged")
        }
        #expect(receipts.taken.elements.count == 2)
    }

    @Test func `without a key no receipt without a token is accepted`() async throws {
        let target = try Self.target(.read)
        try await Self.run(nil) { server in
            let answer = try await server.send("POST", target)
            #expect(answer.status == 404 && answer.body.contains("receipts.signingKeyFile"))
        }
    }
}
