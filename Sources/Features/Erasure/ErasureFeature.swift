package import ArgumentParser
import Base
package import FeatureKit
package import HTTPAPI
import NotificationModel
package import RequestJournal
package import ServiceLifecycle

/// The erasure of all data about a recipient, a message, a thread or a group. It is the last feature of the list, because
/// it has the stores of the others.
package struct ErasureFeature: Feature {
    private let eraser: Eraser
    private let core: DaemonCore

    package init(_ core: DaemonCore, after earlier: [any Feature]) {
        self.core = core
        eraser = Eraser(
            records: core.journal, stores: core.stores + earlier.flatMap(\.stores), reader: core.runtime.pipeline,
            clock: core.clock, logger: core.logger)
    }

    package static var tables: [any JournalTable.Type] { [ErasureTable.self] }
    package static var commands: [any ParsableCommand.Type] { [EraseCommand.self] }

    package var services: [any Service] {
        [
            ClosureService { [eraser, phase = core.phase] in
                await cancelWhenGracefulShutdown {
                    // The stores have all data of an earlier daemon when it is ready.
                    if await phase.wait(until: { $0 == .ready }) { await eraser.run() }
                }
            }
        ]
    }

    package func routes(_ context: CallContext) -> [RouteGroup] {
        [RouteGroup(.erasures, ErasureRoutes(erasures: eraser).routes)]
    }
}
