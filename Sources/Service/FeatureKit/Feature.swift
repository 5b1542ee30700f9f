package import ArgumentParser
package import HTTPAPI
package import NotificationModel
package import RequestJournal
package import ServiceConfiguration
package import ServiceLifecycle
package import Telemetry

/// A feature: a folder of `Sources/Features` that the daemon and its commands know by one word.
///
/// The core accepts, processes and emits requests. A feature adds the rest of what it needs: tables of the journal,
/// routes, commands, services, metrics, stores from which an erasure removes data, and what a reload changes. The daemon
/// creates its features after the core, and only uses these members. All members but the initializer have defaults.
///
/// To add a new feature, do this: create its folder, conform a type to `Feature`, and add the type to `Features.all` of
/// `appgroupd`. The keys of a feature have a section of their own in `ServiceConfiguration`, which `Configuration` lists.
/// Tables that an erasure does not empty have an entry with the reason in `ErasurePlaces`. `BenchRoutes` and
/// `JournalBench` of the tests have the routes and tables of all features.
package protocol Feature: Sendable {
    /// The tables that the feature has in the journal's database.
    static var tables: [any JournalTable.Type] { get }
    /// The stores beside the journal that have data of messages or recipients.
    static var erasedStores: [any Erasable.Type] { get }
    /// The commands of the program for the feature.
    static var commands: [any ParsableCommand.Type] { get }
    /// The help texts of the metrics that the feature records, by their names.
    static var meanings: [String: String] { get }

    /// - Parameter earlier: The features that were created before. The order is that of the list.
    /// - Throws: A failure with status 2 if the configuration cannot be used.
    init(_ core: DaemonCore, after earlier: [any Feature]) async throws(CommandFailure)

    /// The stores of `erasedStores` that this daemon has.
    var stores: [any Erasable] { get }
    /// The services, which run until the daemon ends. They start after the coordinator, and end before it.
    var services: [any Service] { get }

    func routes(_ context: CallContext) -> [RouteGroup]
    /// Returns the metrics that are read when they are asked for.
    func metrics() -> [MetricFamily]
    /// Returns the number of uses of a kind of descriptors; `nil` if the feature does not count them.
    func uses(_ kind: DescriptorBudget.Kind) -> Int?
    /// Restores the data of an earlier daemon, before this daemon is ready.
    func recover() async throws
    /// Applies a reloaded configuration.
    func change(_ configuration: Configuration)
    /// Forgets copies of files in memory, after files were removed.
    func forgetFiles()
    /// Ends the threads of the feature, after the last request.
    func shutdown()
}

extension Feature {
    package static var tables: [any JournalTable.Type] { [] }
    package static var erasedStores: [any Erasable.Type] { [] }
    package static var commands: [any ParsableCommand.Type] { [] }
    package static var meanings: [String: String] { [:] }

    package var stores: [any Erasable] { [] }
    package var services: [any Service] { [] }
    package func routes(_ context: CallContext) -> [RouteGroup] { [] }
    package func metrics() -> [MetricFamily] { [] }
    package func uses(_ kind: DescriptorBudget.Kind) -> Int? { nil }
    package func recover() async throws {}
    package func change(_ configuration: Configuration) {}
    package func forgetFiles() {}
    package func shutdown() {}
}
