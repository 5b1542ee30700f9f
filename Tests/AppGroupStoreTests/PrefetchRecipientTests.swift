import Foundation
import NotificationModel
import TestSupport
import Testing

@testable import AppGroupStore

/// Tests of prefetched files: a recipient that may not fetch gets only files that a silent push fetched for it, or for
/// all.
@Suite struct PrefetchRecipientTests {
    private static let recipe = RenditionRecipe(MediaProfile.ios.attachment, AttachmentOptions())

    @Test(
        arguments: [
            (nil, nil, true), (nil, .everyone, false), (nil, .recipient("ana"), false),
            (.everyone, .everyone, true), (.everyone, .recipient("ana"), true), (.everyone, nil, true),
            (.recipient("ana"), .recipient("ana"), true), (.recipient("ana"), .recipient("bob"), false),
            (.recipient("ana"), .everyone, false), (.recipient("ana"), nil, true), (.recipient(""), .everyone, false),
        ] as [(PrefetchRecipient?, PrefetchRecipient?, Bool)])
    func `a recipient finds only files that a push prefetched for this recipient or for all recipients`(
        _ fetchedFor: PrefetchRecipient?, _ recipient: PrefetchRecipient?, _ isFound: Bool
    ) async throws {
        try await StoreFixture.with { fixture in
            let asset = try await fixture.keep("text", in: StoreFixture.group)
            var message = StoreFixture.message(try #require(RequestID("m")), providerID: "p", [asset])
            message.prefetchedFor = fetchedFor
            try await fixture.store.record(message, in: StoreFixture.group)
            let key = PrefetchKey(
                providerID: "p", url: message.attachments[0].url, recipe: Self.recipe, recipient: recipient)
            let kept = await fixture.store.find([.prefetched(key)], in: StoreFixture.group, until: .now)
            #expect((kept != nil) == isFound)
        }
    }
}
