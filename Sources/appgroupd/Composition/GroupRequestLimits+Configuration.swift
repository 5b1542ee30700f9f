import RequestCoordinator
import ServiceConfiguration

extension GroupRequestLimits {
    init(_ configuration: Configuration) {
        self.init(
            each: configuration.requests.perGroup,
            groups: configuration.byGroup.compactMapValues(\.requests.perGroup))
    }
}
