import Base
import FoundationEssentials
import NotificationModel
import TestSupport
import Testing

@testable import AppGroupStore

/// Tests of the columns from which an app displays a message.
@Suite(.timeLimit(.minutes(1))) struct MessageContentRowTests {
    private static let content = MessageContent(
        outcome: .partial, reason: .httpStatus, thread: "coach", expiresAt: Date(timeIntervalSince1970: 2_000.9),
        text: NotificationText(title: "T", body: "B"), fallback: NotificationText(title: "T", body: "F"),
        expired: NotificationText(body: "E"),
        actions: [
            NotificationAction(identifier: "accept", title: "Watch", link: "https://a.example"),
            NotificationAction(identifier: "dismiss", title: "Close"),
        ],
        details: [
            "kind": "face", "keys": ["page": "week3"], "labels": ["accept": "Watch"], "link": "https://a.example",
        ])

    private static func record(_ content: MessageContent?, _ assets: [StoredAsset] = []) throws -> MessageRecord {
        var message = StoreFixture.message(try #require(RequestID("m")), providerID: "p", assets)
        message.content = content
        return message
    }

    @Test func `the content of a message is in its columns`() async throws {
        try await StoreFixture.with { fixture in
            try await fixture.store.record(try Self.record(Self.content), in: StoreFixture.group)
            for (column, value) in [
                ("kind", "face"), ("outcome", "partial"), ("reason", "http-status"), ("thread", "coach"),
                ("expiresAt", "2000"), ("title", "T"), ("coalesce(subtitle, 'NULL')", "NULL"), ("body", "B"),
                ("fallback", #"{"title":"T","body":"F"}"#), ("expired", #"{"body":"E"}"#),
                (
                    "actions",
                    #"[{"identifier":"accept","title":"Watch","link":"https://a.example"},"#
                        + #"{"identifier":"dismiss","title":"Close"}]"#
                ), ("keys", #"{"page":"week3"}"#),
                ("details", #"{"link":"https://a.example"}"#), ("coalesce(deliveredAt, readAt, 'NULL')", "NULL"),
            ] {
                #expect(try await fixture.rows("SELECT \(column) FROM message WHERE id = 'm'") == [value])
            }
        }
    }

    @Test func `the view has the content beside each file`() async throws {
        try await StoreFixture.with { fixture in
            let assets = [try await fixture.keep("one", until: .now), try await fixture.keep("two", until: .now)]
            try await fixture.store.record(try Self.record(Self.content, assets), in: StoreFixture.group)
            let columns = "kind, messageKind, outcome, reason, thread, expiresAt, title, body"
                .replacing(", ", with: " || ',' || ")
            let line = "attachment,face,partial,http-status,coach,2000,T,B"
            #expect(try await fixture.rows("SELECT \(columns) FROM messageFile") == [line, line])
            let json = try await fixture.rows(
                "SELECT fallback || expired || actions || keys || details FROM messageFile")
            #expect(json.count == 2 && json[0].hasPrefix(#"{"title":"T","body":"F"}"#))
            let joined = "SELECT count(emittedAt) FROM messageFile JOIN message ON message.id = messageId"
            #expect(try await fixture.rows(joined) == ["2"])
        }
    }

    @Test func `a silent push has NULL in the columns of the content`() async throws {
        try await StoreFixture.with { fixture in
            try await fixture.store.record(try Self.record(nil), in: StoreFixture.group)
            let columns = "kind, outcome, thread, expiresAt, title, body, fallback, actions, keys, details"
            #expect(try await fixture.rows("SELECT coalesce(\(columns), 'NULL') FROM message") == ["NULL"])
        }
    }

    @Test func `a long text is cut, and a long value of JSON is left out`() async throws {
        try await StoreFixture.with { fixture in
            let long = String(repeating: "é", count: 20_000)
            let content = MessageContent(
                outcome: .passthrough, text: NotificationText(title: "x" + long, body: long),
                details: ["keys": ["page": .string(long)], "link": "l"])
            try await fixture.store.record(try Self.record(content), in: StoreFixture.group)
            #expect(try await fixture.rows("SELECT body FROM message") == [String(repeating: "é", count: 8_192) + "…"])
            #expect(try await fixture.rows("SELECT length(title) FROM message") == ["8193"])
            #expect(try await fixture.rows("SELECT coalesce(keys, details) FROM message") == [#"{"link":"l"}"#])
        }
    }

    @Test(arguments: [Double.infinity, -.infinity, 1e300])
    func `a date that is no date is not in the index`(seconds: Double) async throws {
        try await StoreFixture.with { fixture in
            let content = MessageContent(
                outcome: .passthrough, expiresAt: Date(timeIntervalSince1970: seconds),
                text: NotificationText(body: "B"))
            try await fixture.store.record(try Self.record(content), in: StoreFixture.group)
            #expect(try await fixture.rows("SELECT coalesce(expiresAt, body) FROM message") == ["B"])
        }
    }

    @Test func `the bytes of a removed text are overwritten`() async throws {
        try await StoreFixture.with { fixture in
            let secret = "the-text-that-is-removed"
            let content = MessageContent(outcome: .passthrough, text: NotificationText(body: secret))
            try await fixture.store.record(try Self.record(content), in: StoreFixture.group)
            await fixture.store.closeIndexes()
            let path = fixture.groupDirectory + "/index.sqlite"
            #expect(try Data(contentsOf: URL(filePath: path)).firstRange(of: Data(secret.utf8)) != nil)
            let later = Date(timeIntervalSinceNow: 30 * 86_400)
            _ = await fixture.store.evict(within: ContainerLimits(), at: later)
            await fixture.store.closeIndexes()
            #expect(try Data(contentsOf: URL(filePath: path)).firstRange(of: Data(secret.utf8)) == nil)
        }
    }
}
