import AppGroupStore
import ArgumentParser
import Base
import FeatureKit
import HTTPAPI
import LinuxIO
import NotificationModel
import RequestJournal
import ServiceConfiguration

struct CacheCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cache",
        abstract: "Manage the HTTP cache and the containers of a root.",
        discussion: """
            Each subcommand works with and without a running daemon. docs/operate/cache-command.md describes the subcommands, \
            docs/reference/caching.md describes the HTTP cache, and docs/reference/store-format.md describes the containers.

            Examples:
              appgroupd cache stats --root ./var
              appgroupd cache verify --root ./var --repair
              appgroupd cache purge --root ./var https://cdn.example/photo.jpg
              appgroupd cache export --root ./var > warm.tar
              appgroupd cache import --root ./copy warm.tar
            """,
        subcommands: [
            CacheLsCommand.self, CacheShowCommand.self, CacheStatsCommand.self, CacheGcCommand.self,
            CacheVerifyCommand.self, CachePinCommand.self, CacheUnpinCommand.self, CachePurgeCommand.self,
            CacheExportCommand.self, CacheImportCommand.self,
        ])
}

/// The flags that all subcommands of `cache` have.
struct CacheOptions: ParsableArguments {
    @OptionGroup var query: DaemonQuery

    @Flag(help: "Print one JSON object.")
    var json = false

    /// Returns the configuration of the root.
    ///
    /// - Throws: A failure with status 2 if the configuration is invalid, or if this user cannot work with the root.
    func configuration() throws(CommandFailure) -> Configuration {
        let configuration = try query.configuration()
        guard (try? FileSystem.look(through: configuration.root).kind) == .directory else {
            throw CommandFailure(
                .usage, "--root \(configuration.root): this is not a directory: name the root of a daemon")
        }
        try RootFolder(path: configuration.root).checkOwner()
        return configuration
    }

    /// Calls a function that uses the stores. An error ends the command with status 1, unless it is a failure already.
    func using<Value>(_ stores: () async throws -> Value) async throws(CommandFailure) -> Value {
        do { return try await stores() } catch let failure as CommandFailure {
            throw failure
        } catch let failure as MediaFailure {
            throw CommandFailure(.failed, failure.detail)
        } catch {
            throw CommandFailure(.failed, "\(error)")
        }
    }

    func print(_ report: JSONValue, or text: String) {
        StandardStreams.output(json ? JSONWriter.text(of: report) : text)
    }
}

extension Configuration {
    /// Whether a daemon serves the root at the moment.
    var hasDaemon: Bool { (try? RequestJournal.holder(of: root)) != nil }

    /// Calls a function with the containers, which a daemon may use at the same time.
    func withStore<Value>(
        _ work: (AppGroupStore) async throws(MediaFailure) -> Value
    ) async throws(CommandFailure) -> Value {
        try StoreVersions.checkMigrations(in: root)
        let store: AppGroupStore
        do throws(SystemError) {
            store = try AppGroupStore(root: root, warn: StandardStreams.warn)
        } catch {
            throw CommandFailure(.failed, "--root \(root): \(error.reason)")
        }
        let result: Result<Value, MediaFailure>
        do throws(MediaFailure) { result = .success(try await work(store)) } catch { result = .failure(error) }
        await store.shutdown()
        do throws(MediaFailure) { return try result.get() } catch { throw CommandFailure(.failed, error.detail) }
    }
}
