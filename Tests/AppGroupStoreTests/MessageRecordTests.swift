import Base
import Foundation
import NotificationModel
import Testing

@testable import AppGroupStore

/// Tests of messages that are recorded in one transaction, and of leases that need no transaction.
@Suite struct MessageRecordTests {
    @Test func `concurrent messages are all in the index`() async throws {
        try await StoreFixture.with { fixture in
            let asset = try await fixture.keep("shown", until: .now)
            try await withThrowingTaskGroup { group in
                for number in 0..<200 {
                    let id = try #require(RequestID("m-\(number)"))
                    group.addTask {
                        try await fixture.store.record(StoreFixture.message(id, [asset]), in: StoreFixture.group)
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await fixture.rows("SELECT count(*) FROM message") == ["200"])
            #expect(try await fixture.rows("SELECT count(*) FROM messageAsset") == ["200"])
        }
    }

    @Test func `a message that cannot be written does not prevent the write of concurrent messages`() async throws {
        try await StoreFixture.with { fixture in
            let asset = try await fixture.keep("shown", until: .now)
            let failures = await withTaskGroup { group in
                for number in 0..<20 {
                    group.addTask {
                        guard let id = RequestID("m-\(number)") else { return 1 }
                        var message = StoreFixture.message(id, [asset])
                        // Two files of one attachment have the same kind, which the index refuses.
                        if number == 7 { message.attachments[0].others = [asset] }
                        do throws(MediaFailure) {
                            try await fixture.store.record(message, in: StoreFixture.group)
                            return 0
                        } catch {
                            return error.reason == .storageFailed ? 1 : 2
                        }
                    }
                }
                return await group.reduce(0, +)
            }
            #expect(failures == 1)
            #expect(try await fixture.rows("SELECT count(*) FROM message") == ["19"])
            #expect(try await fixture.rows("SELECT id FROM message WHERE id = 'm-7'") == [])
        }
    }

    @Test func `a push finds the files of a message that waits for its transaction`() async throws {
        try await StoreFixture.with { fixture in
            let asset = try await fixture.keep("shown", until: .now)
            let message = StoreFixture.message(try #require(RequestID("m")), providerID: "p", [asset])
            let waiting = AppGroupStore.UnrecordedMessage(message: message, group: StoreFixture.group)
            await fixture.store.add(waiting)
            let key = PrefetchKey(
                providerID: "p", url: "https://a.example/0",
                recipe: RenditionRecipe(MediaProfile.ios.attachment, AttachmentOptions()))
            #expect(
                await fixture.store.find([.prefetched(key)], in: StoreFixture.group, until: .now)?.assets == [asset])
            #expect(await waiting.answer.value() == nil)
        }
    }

    @Test func `a lease that lasts long enough is not written again`() async throws {
        try await StoreFixture.with { fixture in
            let asset = try await fixture.keep("shown", until: .now)
            let first = Date(timeIntervalSinceNow: 100)
            #expect(await fixture.store.lease([asset], in: StoreFixture.group, until: first))
            let ends = try await fixture.rows("SELECT heldUntil FROM asset")
            #expect(await fixture.store.lease([asset], in: StoreFixture.group, until: first.addingTimeInterval(50)))
            #expect(try await fixture.rows("SELECT heldUntil FROM asset") == ends)
            #expect(await fixture.store.lease([asset], in: StoreFixture.group, until: first.addingTimeInterval(90)))
            let later = try await fixture.rows("SELECT heldUntil FROM asset")
            #expect(later != ends)
            let end = try #require(ends.first.flatMap(Double.init))
            #expect(end >= first.addingTimeInterval(AppGroupStore.grace).timeIntervalSince1970)
        }
    }
}

extension AppGroupStore {
    fileprivate func add(_ message: UnrecordedMessage) { unrecorded.append(message) }
}
