package import JSON
package import NotificationModel

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
