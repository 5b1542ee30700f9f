import AppGroupStore
package import FoundationEssentials
import GRDB
package import HTTPCaching
import HTTPTypes
package import NotificationModel

/// A listing of the HTTP cache and the containers of a root. A listing may run while a daemon uses the root. It has
/// separate connections, and changes nothing.
package struct StoreReader {
    private let root: String
    private let cache: CacheIndex?
    private let containers: [(group: AppGroupName, index: ContainerIndex)]

    private var cachePath: String { Self.cachePath(in: root) }

    private static func cachePath(in root: String) -> String { "\(root)/\(ResponseCache.directoryName)/index.sqlite" }
    private static func path(of group: AppGroupName, in root: String) -> String { "\(root)/\(group)/index.sqlite" }

    /// Opens the indexes of a root. Throws ``IndexProblem`` if one cannot be read, like all functions of the reader.
    package init(root: String) throws {
        self.root = root
        cache = try IndexProblem.naming(Self.cachePath(in: root)) {
            try CacheIndex(readingOnly: Self.cachePath(in: root))
        }
        containers = try AppGroupStore.groups(in: root).compactMap { group in
            let path = Self.path(of: group, in: root)
            return try IndexProblem.naming(path) { try ContainerIndex(readingOnly: path) }.map { (group, $0) }
        }
    }

    private func reading<Value>(_ group: AppGroupName, _ body: () throws -> Value) throws -> Value {
        try IndexProblem.naming(Self.path(of: group, in: root), body)
    }

    /// Calls `body` with each response of the HTTP cache. Rows that cannot be read are skipped.
    package func forEachResponse(_ body: (ListedResponse) throws -> Void) throws {
        try IndexProblem.naming(cachePath) {
            try cache?.forEachRow { row in
                if let listed = Self.listed(row) { try body(listed) }
            }
        }
    }

    /// Calls `body` with each file of the containers.
    package func forEachFile(_ body: (ListedFile) throws -> Void) throws {
        for (group, index) in containers {
            for shard in CacheBodies.shards {
                for row in try reading(group, { try index.assets(ofShard: shard) }) {
                    guard let path = row.path, let mimeType = row.mimeType, let bytes = row.bytes else { continue }
                    try body(
                        ListedFile(
                            group: group, digest: row.digest, path: path, mimeType: mimeType, bytes: bytes,
                            usedAt: row.usedAt, leasedUntil: row.leaseExpiry, pinnedUntil: row.pinnedUntil))
                }
            }
        }
    }

    /// Returns the responses under a URL, with all credentials.
    package func responses(at url: String) throws -> [ListedResponse] {
        try IndexProblem.naming(cachePath) { try cache?.ids(matching: .url(url)) ?? [] }.compactMap { try response($0) }
    }

    /// Returns the response with an id; `nil` if there is no such response.
    package func response(_ id: String) throws -> ListedResponse? {
        try IndexProblem.naming(cachePath) { try cache?.listed(id).flatMap(Self.listed) }
    }

    /// Returns the files that were made from a response, in all groups.
    package func renditions(of id: String) throws -> [ListedRenditions] {
        try containers.flatMap { group, index in
            try reading(group) { try index.renditions(of: id) }.map {
                ListedRenditions(group: group, recipe: $0.recipe.key, assets: $0.media.assets)
            }
        }
    }

    /// Returns the pins of a URL that have not ended, in all groups.
    package func pins(of url: String, at now: Date) throws -> [ListedPin] {
        try containers.flatMap { group, index in
            var pins: [ListedPin] = []
            for row in try reading(group, { try index.pins(of: url, at: now) }) {
                if pins.last?.recipe != row.recipe {
                    pins.append(ListedPin(group: group, recipe: row.recipe, until: row.until, files: []))
                }
                pins[pins.count - 1].files.append(.init(kind: row.kind, path: row.path, bytes: row.bytes))
            }
            return pins
        }
    }

    /// Returns the messages that show a file, and the responses that it was made from.
    package func references(to file: ListedFile) throws -> [FileReference] {
        guard let index = containers.first(where: { $0.group == file.group })?.index else { return [] }
        let messages = try reading(file.group) { try index.messages(showing: file.digest) }.map {
            FileReference(message: $0.id, providerID: $0.providerID, url: $0.url)
        }
        let responses = try reading(file.group) { try index.identities(of: file.digest) }.map { id in
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

/// A response of the HTTP cache in a listing.
package struct ListedResponse: Sendable {
    package var response: StoredResponse
    /// The path of the body, relative to the root; `nil` if the response is stored without a body.
    package var path: String?
    /// The number of bytes of headers and body.
    package var bytes: Int
    package var usedAt: Date

    /// The URL of the response, without the digest of credentials.
    package var url: String { response.url }
    /// Whether the request of the response contained credentials.
    package var hasCredentials: Bool { response.key.contains(" ") }
    /// The media type in lower case and without parameters, for example `image/jpeg`; `nil` if it is unknown.
    package var type: String? {
        response.head.fields[.contentType].map { type in
            String(type.prefix { $0 != ";" && $0 != " " }).lowercased()
        }
    }
    /// The header fields of the response, in their order.
    package var fields: [(name: String, value: String)] { response.head.fields.map { ($0.name.rawName, $0.value) } }
}

/// A file of a container in a listing.
package struct ListedFile: Sendable {
    package var group: AppGroupName
    package var digest: String
    /// The path of the file, relative to the group's directory.
    package var path: String
    package var mimeType: String
    package var bytes: Int
    package var usedAt: Date
    /// The end of the file's lease. A date in the past means that the file may be evicted.
    package var leasedUntil: Date
    /// The latest date of the pins of the file, which may be in the past; `nil` if it has no pin.
    package var pinnedUntil: Date?
}

/// The pin of a URL in one group and for one recipe.
package struct ListedPin: Sendable {
    package struct File: Sendable {
        package var kind: String
        /// The path of the file, relative to the group's directory.
        package var path: String
        package var bytes: Int
    }

    package var group: AppGroupName
    package var recipe: String
    package var until: Date
    package var files: [File]
}

/// A reference to a file of a container: a message that shows it, or a response that it was made from.
package struct FileReference: Sendable {
    /// The message that shows the file; `nil` if the reference is a response.
    package var message: String?
    package var providerID: String?
    /// The URL of a message as its payload writes it, or the URL of a response; `nil` if the response was evicted.
    package var url: String?
    /// The id of the response; `nil` if the reference is a message.
    package var identity: String?
}

/// The files that were made from a response, in one group and by one recipe.
package struct ListedRenditions: Sendable {
    package var group: AppGroupName
    package var recipe: String
    package var assets: [StoredAsset]
}
