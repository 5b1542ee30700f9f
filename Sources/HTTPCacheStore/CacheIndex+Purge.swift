import GRDB
package import NotificationModel
import WebURL

/// The queries of purges. A key of the cache is a URL, which a blank and a digest of credentials may follow.
extension CacheIndex {
    /// Returns the ids of the responses that come from a target.
    package func ids(matching target: PurgeTarget) throws -> [String] {
        try database.read { database in
            switch target {
            case .url(let url):
                let own = try String.fetchAll(
                    database, sql: "SELECT id FROM response WHERE key = ?", arguments: [url])
                return try own + Self.ids(ofKeysFrom: url + " ", in: database)
            case .host(let host):
                let host = HostAndPort.bracketed(host)
                return try ["https", "http"].flatMap { scheme in
                    try ["/", ":"].flatMap { try Self.ids(ofKeysFrom: "\(scheme)://\(host)\($0)", in: database) }
                }
            case .prefix(let prefix):
                return try Self.ids(ofKeysFrom: prefix, in: database)
            }
        }
    }

    /// Returns the ids of the responses whose keys begin with a prefix. Keys are printable ASCII, so the prefix
    /// followed by DEL sorts after all of them.
    private static func ids(ofKeysFrom prefix: String, in database: Database) throws -> [String] {
        try String.fetchAll(
            database, sql: "SELECT id FROM response WHERE key >= ? AND key < ?", arguments: [prefix, prefix + "\u{7F}"])
    }

    /// Returns the ids from a set that have a response in the cache.
    func stored(_ ids: Set<String>) throws -> Set<String> {
        try database.read { database in
            let statement = try database.cachedStatement(sql: "SELECT id FROM response WHERE id = ?")
            return try ids.filter { try String.fetchOne(statement, arguments: [$0]) != nil }
        }
    }
}
