package import MediaFetcher
package import NameResolution

/// The parts that `appgroupd lab run` puts in place of the network: the names, and the server that all connections reach. All
/// other stages are those of the daemon.
package struct LaboratoryNetwork: Sendable {
    package var resolver: any NameResolving
    package var standIn: StandIn

    package init(resolver: any NameResolving, standIn: StandIn) {
        self.resolver = resolver
        self.standIn = standIn
    }
}
