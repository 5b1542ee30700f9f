package import ArgumentParser
package import FeatureKit
package import HTTPAPI
import NotificationModel
package import RequestJournal
import ServiceConfiguration
package import ServiceLifecycle

/// Named messages: payloads that are prepared before an app asks for them.
package struct MessagesFeature: Feature {
    package let messages: NamedMessages

    package init(_ core: DaemonCore, after earlier: [any Feature]) {
        let settings = core.configuration.messages
        messages = NamedMessages(
            .init(retention: settings.retention, quota: settings.quota), coordinator: core.coordinator,
            reader: core.runtime.pipeline, store: core.journal, files: core.runtime.store, large: core.large,
            clock: core.clock, logger: core.logger)
    }

    package static var tables: [any JournalTable.Type] { [MessageTable.self] }
    package static var commands: [any ParsableCommand.Type] { [MessageCommand.self] }
    package var services: [any Service] { [messages] }

    package func routes(_ context: CallContext) -> [RouteGroup] {
        [RouteGroup(.messages, MessageRoutes(messages: messages, context: context).routes)]
    }

    package func recover() async throws { await messages.recover() }
}
