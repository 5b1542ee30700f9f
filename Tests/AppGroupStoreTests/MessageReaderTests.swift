import FoundationEssentials
import NotificationModel
import TestSupport
import Testing

@testable import AppGroupStore

/// Tests of the examples that show messages after their expiry, after an eviction, and after removals.
@Suite(.timeLimit(.minutes(1))) struct MessageReaderTests {
    private func record(
        _ name: String, _ assets: [StoredAsset] = [], expiresIn seconds: Double = 3_600, in fixture: StoreFixture
    ) async throws {
        var message = StoreFixture.message(try #require(RequestID(name)), assets)
        message.content = MessageContent(
            outcome: .rich, expiresAt: Date(timeIntervalSinceNow: seconds),
            text: NotificationText(title: "T", body: "B"), fallback: NotificationText(title: "T", body: "F"),
            expired: NotificationText(body: "Missed"),
            actions: [
                NotificationAction(identifier: "accept", title: "Watch"),
                NotificationAction(identifier: "dismiss", title: "Dismiss"),
            ])
        try await fixture.store.record(message, in: StoreFixture.group)
    }

    @Test func `the accept button is active until the expiry of the message`() async throws {
        try await StoreFixture.with { fixture in
            let asset = try await fixture.keep("one", until: .now)
            try await record("valid", [asset], in: fixture)
            try await record("old", [asset], expiresIn: -1, in: fixture)
            let file = ["file", "image/jpeg", "\(fixture.groupDirectory)/\(asset.path)".replacing("//", with: "/")]
            let dismiss = ["button", "dismiss", "Dismiss", "active"]
            let valid = try ExampleReader.message.run(fixture.groupDirectory, "valid").lines
            #expect(
                valid == [["title", "T"], ["body", "B"], file, ["button", "accept", "Watch", "active"], dismiss])
            let old = try ExampleReader.message.run(fixture.groupDirectory, "old").lines
            #expect(old == [["body", "Missed"], file, ["button", "accept", "Watch", "expired"], dismiss])
        }
    }

    @Test func `a message whose file was evicted is shown with its fallback text`() async throws {
        try await StoreFixture.with { fixture in
            try await record("m", [try await fixture.keep("one")], in: fixture)
            let number = try #require(try ExampleReader.list.run(fixture.groupDirectory).lines.last?.last)
            _ = await fixture.store.evict(within: ContainerLimits(quota: 0), at: Date(timeIntervalSinceNow: 120))
            let shown = try ExampleReader.message.run(fixture.groupDirectory, "m").lines
            #expect(shown.prefix(2) == [["title", "T"], ["body", "F"]])
            #expect(!shown.contains { $0[0] == "file" })
            let changed = try ExampleReader.list.run(fixture.groupDirectory, "--since", number).lines
            #expect(changed.first.map { [$0[0], $0[3], $0[6]] } == ["~", "m", "-"])
        }
    }

    @Test func `a removed message is in the list of changes, and an unknown number gives the whole list`() async throws
    {
        try await StoreFixture.with { fixture in
            for name in ["a", "b"] { try await record(name, in: fixture) }
            let number = try #require(try ExampleReader.list.run(fixture.groupDirectory).lines.last?.last)
            try await fixture.write("DELETE FROM message WHERE id = 'a'")
            try await record("c", in: fixture)
            let changed = try ExampleReader.list.run(fixture.groupDirectory, "--since", number).lines
            #expect(changed.dropLast().map { [$0[0], $0[3]] } == [["+", "c"], ["-", "a"]])
            for number in ["1", "9\(number)"] {
                let all = try ExampleReader.list.run(fixture.groupDirectory, "--since", number).lines
                #expect(Set(all.dropLast().map { [$0[0], $0[3]] }) == [["=", "b"], ["=", "c"]])
            }
        }
    }

    @Test(arguments: [["--since"], ["--since", "x"], ["--all"]])
    func `a wrong argument of the list has the status 2`(arguments: [String]) async throws {
        try await StoreFixture.with { fixture in
            let status: Int32 =
                arguments.count == 1
                ? try ExampleReader.list.run(fixture.groupDirectory, arguments[0]).status
                : try ExampleReader.list.run(fixture.groupDirectory, arguments[0], arguments[1]).status
            #expect(status == 2)
        }
    }
}
