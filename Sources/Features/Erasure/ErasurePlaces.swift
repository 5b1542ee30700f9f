import AppGroupStore
package import FeatureKit
package import NotificationModel
import RequestCoordinator
import RequestJournal

/// The places in a root, and what an erasure does with each of them. A test starts a daemon and looks for a table or a
/// directory that is missing here, so that no store is forgotten.
///
/// The name of a place is that of the directory below the root or below an app group, and for tables
/// `DATABASE/TABLE`.
package struct ErasurePlaces {
    /// The features of the program.
    private let features: [any Feature.Type]
    /// The stores from which an erasure removes data.
    private var stores: [any Erasable.Type] {
        [RequestCoordinator.self, SpoolErasure.self, AppGroupStore.self, RecordingErasure.self, RequestJournal.self]
            + features.flatMap { $0.erasedStores }
    }

    package init(_ features: [any Feature.Type]) { self.features = features }

    /// The places that an erasure leaves as they are, with the reason.
    package static let kept: [String: String] = [
        ".appgroupd": "has the journal, which is a place of its own",
        ".appgroupd/program": "has the version of the program",
        ".appgroupd/suppression.key": "is the key of the digests of suppressed receivers",
        ".cache": "has responses of origins by their URLs, for all receivers; `cache purge` removes them",
        ".import": "has an archive while it is imported",
        "journal.sqlite/listWord": "has the words of outcomes, reasons, dialects and app groups",
        "journal.sqlite/listTotals": "has a number",
        "journal.sqlite/callbackTarget": "has the names of configured targets and times of failures",
        "journal.sqlite/callbackTotals": "has a number",
        "journal.sqlite/receiverTotals": "has numbers",
        "journal.sqlite/probe": "is empty",
        "journal.sqlite/grdb_migrations": "has the version of the tables",
        "journal.sqlite/sqlite_sequence": "has numbers",
        "index.sqlite/changes": "has ids of requests and the times of their changes, which readers need to forget them",
        "index.sqlite/pin": "has files that the owner has pinned by their URLs; `cache unpin` removes them",
        "index.sqlite/grdb_migrations": "has the version of the tables",
        "index.sqlite/sqlite_sequence": "has numbers",
    ]

    /// Checks that the stores of a daemon are those of the table. The journal is separate, because it has the records of
    /// erasures.
    package func check(_ given: [any Erasable]) {
        let types = given.map { ObjectIdentifier(type(of: $0)) } + [ObjectIdentifier(RequestJournal.self)]
        precondition(
            Set(types) == Set(stores.map { ObjectIdentifier($0) }), "an erasure would forget a store of the table")
    }

    package var all: Set<String> {
        let tables = features.flatMap { $0.tables }.flatMap { $0.erasedTables }.map { "journal.sqlite/" + $0 }
        return stores.reduce(into: Set(Self.kept.keys).union(tables)) { places, store in
            places.formUnion(store.erasedPlaces)
        }
    }
}
