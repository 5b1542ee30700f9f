import ArgumentParser
package import FeatureKit
package import HTTPAPI
import NotificationModel
import RequestCoordinator
import RequestJournal
package import ServiceConfiguration

/// The push gateway for homeservers of Matrix and SDN.
package struct MatrixFeature: Feature {
    private let gateway: MatrixGateway
    private let coordinator: RequestCoordinator

    package init(_ core: DaemonCore, after earlier: [any Feature]) {
        coordinator = core.coordinator
        gateway = MatrixGateway(MatrixGateway.Settings(core.configuration), logger: core.logger) {
            [journal = core.journal] group, pushkey in
            await !journal.deadNames(among: [pushkey], in: group).isEmpty
        }
    }

    package static var meanings: [String: String] { MatrixGateway.meanings }

    package func routes(_ context: CallContext) -> [RouteGroup] {
        [RouteGroup(.matrix, MatrixRoutes(gateway: gateway, coordinator: coordinator, context: context).routes)]
    }

    package func change(_ configuration: Configuration) { gateway.change(MatrixGateway.Settings(configuration)) }
}
