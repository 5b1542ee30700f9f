import GRDB
import SQLiteFiles

/// The queries of purges.
extension ContainerIndex {
    /// The selection of a purge in one group.
    package struct Purge: Sendable {
        /// Returns whether the URL of a reference, as a payload writes it, is purged.
        let isPurged: @Sendable (String) -> Bool
        /// The ids of the responses that are purged.
        package var ids: Set<String>
        /// The ids of the responses that are in the cache.
        package var stored: Set<String> = []

        package init(ids: Set<String>, isPurged: @escaping @Sendable (String) -> Bool) {
            self.isPurged = isPurged
            self.ids = ids
        }
    }

    /// The result of one batch of a purge.
    package struct Purged: Sendable {
        package var files = 0
        package var bytes = 0
        package var sharedFiles = 0
        /// The number of files that could not be removed and stay in the index.
        package var failures = 0
        /// The ids of the responses that the removed files were made from.
        package var identities: Set<String> = []
    }

    /// Returns the digests of the files that a purge concerns, and the ids of all responses that they were made from.
    /// `recent` has the digests of further files that come from a purged URL.
    func files(of purge: Purge, and recent: Set<String> = []) throws -> (digests: [String], identities: Set<String>) {
        try database.read { database in
            var digests = recent
            // The rows of one message are adjacent, and have one URL for several files.
            var last = (url: "", isPurged: purge.isPurged(""))
            let references = try Row.fetchCursor(
                database, sql: "SELECT sha256, url FROM messageAsset UNION ALL SELECT sha256, url FROM pin")
            while let row = try references.next() {
                let url: String = try row.sound("url")
                if url != last.url { last = (url, purge.isPurged(url)) }
                if last.isPurged { digests.insert(try row.sound("sha256")) }
            }
            let made = try database.cachedStatement(sql: "SELECT sha256 FROM rendition WHERE identity = ?")
            for id in purge.ids { digests.formUnion(try String.fetchAll(made, arguments: [id])) }
            var identities: Set<String> = []
            for digest in digests { identities.formUnion(try Self.sources(of: digest, in: database).identities) }
            return (digests.sorted(), identities)
        }
    }

    /// Removes files that a purge concerns, even if they are leased or pinned. A file that other media items share is
    /// not removed, and loses only the references of the purged media items. All changes are one transaction. `remove`
    /// removes a file by its path within the group, and returns `false` if the file cannot be removed.
    func purge(_ digests: some Sequence<String>, by purge: Purge, remove: (String) -> Bool) throws -> Purged {
        try database.write { database in
            var purged = Purged()
            for digest in digests {
                let sources = try Self.sources(of: digest, in: database)
                let staysShared = sources.staysShared(
                    isPurged: purge.isPurged, purging: purge.ids, stored: purge.stored)
                if staysShared {
                    try Self.removeReferences(to: digest, from: sources, by: purge, in: database)
                    purged.sharedFiles += 1
                } else {
                    purged.identities.formUnion(sources.identities)
                    try Self.removeFile(digest, in: database, &purged, remove: remove)
                }
            }
            return purged
        }
    }

    private static func removeFile(
        _ digest: String, in database: Database, _ purged: inout Purged, remove: (String) -> Bool
    ) throws {
        let statement = try database.cachedStatement(sql: "SELECT sha256, path, bytes FROM asset WHERE sha256 = ?")
        guard let row = try Row.fetchOne(statement, arguments: [digest]) else { return }
        let (path, bytes) = (try row.mediaPath(), try row.byteCount("bytes"))
        guard remove(path) else {
            purged.failures += 1
            return
        }
        try database.cachedStatement(sql: "DELETE FROM asset WHERE sha256 = ?").execute(arguments: [digest])
        purged.files += 1
        purged.bytes += bytes
    }

    private static func removeReferences(
        to digest: String, from sources: FileSources, by purge: Purge, in database: Database
    ) throws {
        for table in ["messageAsset", "pin"] {
            let reference = try database.cachedStatement(sql: "DELETE FROM \(table) WHERE sha256 = ? AND url = ?")
            for url in sources.urls where purge.isPurged(url) { try reference.execute(arguments: [digest, url]) }
        }
        let rendition = try database.cachedStatement(sql: "DELETE FROM rendition WHERE sha256 = ? AND identity = ?")
        for id in sources.identities.intersection(purge.ids) { try rendition.execute(arguments: [digest, id]) }
    }

    private static func sources(of digest: String, in database: Database) throws -> FileSources {
        let urls = try database.cachedStatement(
            sql: "SELECT url FROM messageAsset WHERE sha256 = ? UNION SELECT url FROM pin WHERE sha256 = ?")
        let identities = try database.cachedStatement(sql: "SELECT DISTINCT identity FROM rendition WHERE sha256 = ?")
        return FileSources(
            urls: try String.fetchSet(urls, arguments: [digest, digest]),
            identities: try String.fetchSet(identities, arguments: [digest]))
    }
}

/// The media items that a file of the container was made from. The type does no I/O.
struct FileSources: Equatable {
    /// The URLs of the messages that show the file, as payloads write them, and the URLs under which it is pinned.
    var urls: Set<String>
    /// The ids of the responses that the file was made from. Some responses may have been evicted from the cache.
    var identities: Set<String>

    /// Returns whether a purge must not remove the file, because the file has another source than the purged URL. `ids`
    /// has the responses that are purged, and `stored` those that are in the cache.
    ///
    /// A message or a pin of another URL is such a source. A stored response of another URL is such a source if the
    /// file also has a purged response. Otherwise that response is the target of a redirect of the purged URL, and the
    /// file is removed.
    func staysShared(isPurged: (String) -> Bool, purging ids: Set<String>, stored: Set<String>) -> Bool {
        if urls.contains(where: { !isPurged($0) }) { return true }
        return !identities.isDisjoint(with: ids) && !identities.subtracting(ids).isDisjoint(with: stored)
    }
}
