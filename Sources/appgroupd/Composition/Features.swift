import ArgumentParser
import FeatureKit
import Features
import NotificationModel
import RequestJournal

/// The features of the program.
enum Features {
    /// The features, in the order in which a daemon creates them. A feature may use those before it. The erasure is the
    /// last one, because it has the stores of the others.
    static let all: [any Feature.Type] = [
        BatchesFeature.self, MessagesFeature.self, RecipientsFeature.self, CallbacksFeature.self, DownloadsFeature.self,
        MatrixFeature.self, ErasureFeature.self,
    ]

    static var tables: [any JournalTable.Type] { all.flatMap { $0.tables } }
    static var commands: [any ParsableCommand.Type] { all.flatMap { $0.commands } }

    static func create(_ core: DaemonCore) async throws(CommandFailure) -> [any Feature] {
        precondition(all.last == ErasureFeature.self, "an erasure would forget the stores of a later feature")
        var features: [any Feature] = []
        for type in all { features.append(try await type.init(core, after: features)) }
        return features
    }
}
