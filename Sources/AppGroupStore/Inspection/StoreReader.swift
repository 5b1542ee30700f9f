import FoundationEssentials
import GRDB
import HTTPCaching
import NotificationModel

/// Lists the HTTP cache and the containers of a root. It reads beside a daemon, with connections of its own, and changes
/// nothing.
package struct StoreReader {
    private let root: String
    private let cache: CacheIndex?
    private let containers: [(group: AppGroupName, index: ContainerIndex)]

    /// - Throws: if an index cannot be read.
    package init(root: String) throws {
        self.root = root
        cache = try CacheIndex(readingOnly: "\(root)/\(ResponseCache.directoryName)/index.sqlite")
        containers = try AppGroupStore.groups(in: root).compactMap { group in
            try ContainerIndex(readingOnly: "\(root)/\(group)/index.sqlite").map { (group, $0) }
        }
    }

    /// Calls `body` with each response of the HTTP cache. Rows that cannot be read are left out.
    package func forEachResponse(_ body: (ListedResponse) throws -> Void) throws {
        try cache?.forEachRow { row in
            if let listed = Self.listed(row) { try body(listed) }
        }
    }

    /// Calls `body` with each file of the containers.
    package func forEachFile(_ body: (ListedFile) throws -> Void) throws {
        for (group, index) in containers {
            for shard in CacheBodies.shards {
                for row in try index.assets(ofShard: shard) {
                    guard let path = row.path, let mimeType = row.mimeType, let bytes = row.bytes else { continue }
                    try body(
                        ListedFile(
                            group: group, digest: row.digest, path: path, mimeType: mimeType, bytes: bytes,
                            usedAt: row.usedAt, leasedUntil: row.leaseExpiry))
                }
            }
        }
    }

    /// Returns the responses under a URL, with all credentials.
    package func responses(at url: String) throws -> [ListedResponse] {
        try (cache?.ids(matching: .url(url)) ?? []).compactMap { try response($0) }
    }

    /// - Returns: `nil` if there is no such response.
    package func response(_ id: String) throws -> ListedResponse? {
        try cache?.listed(id).flatMap(Self.listed)
    }

    /// Returns the files that were made of a response, in all groups.
    package func renditions(of id: String) throws -> [ListedRenditions] {
        try containers.flatMap { group, index in
            try index.renditions(of: id).map {
                ListedRenditions(group: group, recipe: $0.recipe.key, assets: $0.media.assets)
            }
        }
    }

    /// Returns the messages that show a file, and the responses that it was made from.
    package func references(to file: ListedFile) throws -> [FileReference] {
        guard let index = containers.first(where: { $0.group == file.group })?.index else { return [] }
        let messages = try index.messages(showing: file.digest).map {
            FileReference(message: $0.id, providerID: $0.providerID, url: $0.url)
        }
        let responses = try index.identities(of: file.digest).map { id in
            FileReference(url: try response(id)?.url, identity: id)
        }
        return messages + responses
    }

    private static func listed(_ row: CacheIndex.ListedRow) -> ListedResponse? {
        guard let entry = row.entry else { return nil }
        return ListedResponse(
            response: entry.response,
            path: entry.body.map { "\(ResponseCache.directoryName)/bodies/\($0.name.prefix(2))/\($0.name)" },
            bytes: entry.byteCount, usedAt: Date(timeIntervalSince1970: Double(row.usedAt) / 1e6))
    }
}
