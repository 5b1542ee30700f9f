package import ArgumentParser
import Authentication
package import FeatureKit
package import HTTPAPI
import NotificationModel
import RequestCoordinator
package import RequestJournal
package import ServiceConfiguration

/// Recipients, the lists of their notifications, and the receipts of their devices.
package struct RecipientsFeature: Feature {
    private let core: DaemonCore
    private let signedReceipts: SignedReceipts
    private let messages: any MessageIntake

    package init(_ core: DaemonCore, after earlier: [any Feature]) {
        self.core = core
        signedReceipts = SignedReceipts(ReceiptURLs(core.configuration))
        guard let messages = earlier.lazy.compactMap({ $0 as? MessagesFeature }).first else {
            preconditionFailure("the export of a receiver needs the named messages")
        }
        self.messages = messages.messages
        core.coordinator.report(to: ReportedReceipts(receipts: receipts, recipients: core.journal))
    }

    private var receipts: ReceiptRecorder {
        ReceiptRecorder(coordinator: core.coordinator, store: core.journal, copies: core.runtime.store)
    }

    package static var tables: [any JournalTable.Type] { [RecipientTable.self, ListTable.self, ReceiptTable.self] }
    package static var commands: [any ParsableCommand.Type] {
        [ListCommand.self, RecipientsCommand.self, ReceiptsCommand.self]
    }
    package static var meanings: [String: String] { ReceiptMetrics.meanings }

    package func routes(_ context: CallContext) -> [RouteGroup] {
        let (journal, coordinator) = (core.journal, core.coordinator)
        let lists = ListRoutes(
            listing: journal, coordinator: coordinator, recipients: journal, messages: messages, context: context)
        return [
            RouteGroup(.lists, lists.routes),
            RouteGroup(.receipts, ReceiptRoutes(receipts, signedReceipts, recipients: journal, context).routes),
            RouteGroup(.recipients, RecipientRoutes(store: journal, context: context).routes),
        ]
    }

    /// The new keys are known before the first URL is signed with them.
    package func change(_ configuration: Configuration) { signedReceipts.change(ReceiptURLs(configuration)) }
}
