import Base
import FoundationEssentials
import HTTPAPI
import NotificationModel
import TestSupport

@testable import Features

/// The ports of all features, in the order of the daemon's routes. A feature that a test does not use has no data.
struct BenchRoutes {
    var cache: any CachePurging = EmptyCache()
    var warming: any WarmAnswering = EmptyPorts()
    var media: MediaServing?
    var batches: any BatchIntake = FakeBatches()
    var matrix = MatrixGateway()
    var recipients: any RecipientStoring = EmptyPorts()
    var listing: any NotificationListing = EmptyPorts()
    var receipts: any ReceiptIntake = EmptyPorts()
    var signedReceipts = SignedReceipts(nil)
    var callbacks: any CallbackIntake = EmptyPorts()
    var erasing: any ErasureIntake = EmptyPorts()
    var messages: any MessageIntake = FakeMessages()

    func routes(
        _ coordinator: any RequestIntake, _ context: CallContext, _ facts: DaemonFacts, clock: any RequestClock
    ) -> [RouteGroup] {
        let notifications = NotificationRoutes(coordinator, context)
        let monitoring = MonitoringRoutes(facts, coordinator, context)
        let files = MediaFiles(root: "/nonexistent", on: globalConcurrentExecutor)
        let media = media ?? MediaServing(files: files, clock: clock, urls: PerGroup(nil))
        let lists = ListRoutes(
            listing: listing, coordinator: coordinator, recipients: recipients, messages: messages, context: context)
        let events = EventRoutes(coordinator, listing: listing, recipients: recipients, context)
        return [
            RouteGroup(.submission, [notifications.submission]),
            RouteGroup(.batches, BatchRoutes(batches: batches, context: context).routes),
            RouteGroup(.requests, notifications.routes), RouteGroup(.events, events.routes),
            RouteGroup(.status, [monitoring.status]),
            RouteGroup(.warming, WarmRoutes(warming: warming, context: context).routes),
            RouteGroup(.cache, CacheRoutes(cache, forget: media.forget).routes),
            RouteGroup(.media, MediaRoutes(media: media).routes),
            RouteGroup(.monitoring, monitoring.routes), RouteGroup(.lists, lists.routes),
            RouteGroup(.receipts, ReceiptRoutes(receipts, signedReceipts, recipients: recipients, context).routes),
            RouteGroup(.callbacks, CallbackRoutes(callbacks: callbacks).routes),
            RouteGroup(.erasures, ErasureRoutes(erasures: erasing).routes),
            RouteGroup(.recipients, RecipientRoutes(store: recipients, context: context).routes),
            RouteGroup(.messages, MessageRoutes(messages: messages, context: context).routes),
            RouteGroup(.matrix, MatrixRoutes(gateway: matrix, coordinator: coordinator, context: context).routes),
        ]
    }
}

/// Ports without data, whose changes fail.
private struct EmptyPorts: WarmAnswering, RecipientStoring, NotificationListing, ReceiptIntake, CallbackIntake,
    ErasureIntake
{
    func answer(
        _ body: [UInt8], in groups: GroupPermission, write: @escaping @Sendable ([JSONValue]) async -> Void
    ) async {}

    func recipient(_ name: RecipientName) async -> RecipientLookup {
        RecipientLookup(mark: RecipientMark(name: name, revision: 1), stored: nil)
    }
    func find(_ name: RecipientName) async -> RecipientAnswer { .unknown }
    func apply(_ changes: [RecipientChange]) async -> [RecipientAnswer] { changes.map { _ in .unknown } }
    func deadNames(among names: [String], in group: AppGroupName) async -> Set<String> { [] }

    func reaches(_ date: Date) async -> Bool { false }
    func list(_ query: ListQuery) async -> ListPage<ListedNotification>? { ListPage(elements: [], next: nil) }
    func threads(_ query: ListQuery) async -> ListPage<ListedThread>? { ListPage(elements: [], next: nil) }
    func summary(_ query: ListQuery) async -> OutcomeSummary? { OutcomeSummary(rows: [], isComplete: true) }

    func record(_ receipt: Receipt) async -> ReceiptAnswer { .unknown }

    func callbacks(_ query: CallbackQuery) async -> ListPage<Callback>? { ListPage(elements: [], next: nil) }
    func callback(_ id: String) async -> Callback?? { .some(nil) }
    func targets() async -> [CallbackTargetReport]? { [] }
    func resend(_ id: String) async -> Bool? { false }
    func recover(_ target: String, since date: Date?) async -> CallbackRecovery { .unknownTarget }
    func disable(_ target: String) async -> CallbackRecovery { .unknownTarget }

    func erase(_ target: ErasureTarget, suppresses: Bool, includesMentions: Bool) async -> Erasure? { nil }
    func erasure(_ id: String) async -> Erasure? { nil }
}
