import Authentication
package import Base
import HTTPTypes
package import NotificationModel

/// The route that removes media which must not be shown any more.
package struct CacheRoutes: Sendable {
    let cache: any CachePurging
    /// Forgets copies of files in memory.
    let forget: @Sendable () -> Void

    package init(_ cache: any CachePurging, forget: @escaping @Sendable () -> Void) {
        (self.cache, self.forget) = (cache, forget)
    }

    package var routes: [Route] {
        [
            Route(
                // The body contains only one target.
                method: .post, path: "/v1/cache/purge", operation: "purgeCache", scope: .admin,
                body: .init(maxBytes: 64 << 10), example: .purge, metric: "purge",
                summary: "Removes the media of URLs from all caches.", outputs: [.purged],
                problems: [.notJSON, .tooLarge, .storageFailed]
            ) { arguments throws(Problem) in
                try arguments.checkAllGroups("A purge concerns")
                return { input throws(Problem) in try await purge(input.body) }
            }
        ]
    }

    private func purge(_ body: [UInt8]) async throws(Problem) -> Route.Answer {
        let target = try PurgeTarget(.payload(body))
        defer { forget() }
        do throws(MediaFailure) { return .json(try await cache.purge(target).json) } catch {
            guard error.reason == .storageFailed else { throw Problem(.badRequest, VisibleText.sentence(error.detail)) }
            throw Problem(.storageFailed, "A file or a row could not be removed. The log has the details.")
        }
    }
}

extension Route.Output {
    fileprivate static let purged = json(
        "The numbers of responses, files and bytes that were removed.",
        .object(of: [
            "responses": .component("Count"), "files": .component("Count"), "bytes": .component("Count"),
            "sharedFiles": .component("Count"),
        ]))
}

extension Route.BodyExample {
    fileprivate static let purge = Route.BodyExample(
        type: "application/json",
        schema: [
            "type": "object", "minProperties": 1, "maxProperties": 1, "additionalProperties": false,
            "properties": [
                "url": ["type": "string", "minLength": 1], "host": ["type": "string", "minLength": 1],
                "prefix": ["type": "string", "minLength": 1],
            ],
        ], value: ["url": "https://media.example.com/1.jpg"])
}

extension PurgeTarget {
    /// Reads the body of `POST /v1/cache/purge`: an object with one of `url`, `host` and `prefix`.
    init(_ object: JSONObject) throws(Problem) {
        guard object.members.count == 1, let key = object.keys.first, let text = object[key]?.string, !text.isEmpty
        else { throw Problem(.badRequest, "The body must have exactly one of the texts url, host and prefix.") }
        switch key {
        case "url": self = .url(text)
        case "host": self = .host(text)
        case "prefix": self = .prefix(text)
        default: throw Problem(.badRequest, "The body must have exactly one of the texts url, host and prefix.")
        }
    }

    /// The body of `POST /v1/cache/purge`.
    package var json: JSONValue {
        switch self {
        case .url(let text): ["url": .string(text)]
        case .host(let text): ["host": .string(text)]
        case .prefix(let text): ["prefix": .string(text)]
        }
    }
}

extension PurgeReport {
    /// The body of the response to `POST /v1/cache/purge`.
    package var json: JSONValue {
        [
            "responses": .number(JSONNumber(responses)), "files": .number(JSONNumber(files)),
            "bytes": .number(JSONNumber(bytes)), "sharedFiles": .number(JSONNumber(sharedFiles)),
        ]
    }
}
