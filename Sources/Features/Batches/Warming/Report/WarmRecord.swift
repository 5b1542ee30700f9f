package import Base
package import NotificationModel

/// The result of one item, as the journal and the report have it.
package struct WarmRecord: Sendable, Equatable {
    package enum Result: String, Sendable, CaseIterable {
        case warm
        /// A media item has failed, or a line is not an item.
        case failed
        /// The payload has no media for the profiles.
        case empty

        init(of outcome: WarmOutcome) {
            self = outcome.failure != nil ? .failed : outcome.media.isEmpty ? .empty : .warm
        }
    }

    package var key: WarmKey
    package var result: Result
    /// The name of the item, as in `WarmItem.name`.
    package var name: String
    package var host: String
    /// The number of media items. An item counts once for each profile.
    package var media = 0
    /// The number of media items whose bytes were in the HTTP cache or in the container.
    package var cached = 0
    /// The number of media items that are kept until the date of the item.
    package var kept = 0
    /// The size of the source files, in bytes.
    package var sourceBytes = 0
    package var renditionBytes = 0
    package var milliseconds = 0
    package var reason: DegradationReason?
    /// One sentence about the failure; `nil` without a failure.
    package var detail: String?

    package init(_ item: WarmItem, _ outcome: WarmOutcome, took time: Duration) {
        key = item.key
        name = item.name
        host = item.host
        milliseconds = Int(time.milliseconds)
        // The same source file may serve several profiles, and is counted once.
        var sources: [String: Int] = [:]
        for item in outcome.media where item.failure == nil {
            media += 1
            cached += item.cache.map { $0 == .hit || $0 == .stale || $0 == .revalidated } ?? false ? 1 : 0
            kept += item.isKept ? 1 : 0
            sources[item.url] = item.sourceBytes
            renditionBytes.add(clamping: item.renditionBytes)
        }
        for bytes in sources.values { sourceBytes.add(clamping: bytes) }
        reason = outcome.failure?.reason
        detail = outcome.failure.map { VisibleText.short($0.detail, most: 300) }
        result = Result(of: outcome)
    }

    /// Creates the record of a part of a source that is not an item.
    package init(_ problem: WarmProblem) {
        key = WarmKey([problem.place, problem.text])
        result = .failed
        name = problem.place
        host = ""
        reason = .invalidPayload
        detail = VisibleText.short(problem.text, most: 300)
    }
}

extension WarmRecord {
    package var json: JSONValue {
        [
            "key": .string(key.description), "result": .string(result.rawValue), "name": .string(name),
            "host": .string(host), "media": .number(media), "cached": .number(cached), "kept": .number(kept),
            "sourceBytes": .number(sourceBytes), "renditionBytes": .number(renditionBytes),
            "ms": .number(milliseconds), "reason": .text(reason?.rawValue), "detail": .text(detail),
        ]
    }

    /// Parses a record in the form of `json`.
    package init?(_ json: JSONValue) {
        guard let key = json["key"]?.string.flatMap({ WarmKey($0) }),
            let result = json["result"]?.string.flatMap({ Result(rawValue: $0) }), let name = json["name"]?.string,
            let host = json["host"]?.string
        else { return nil }
        self.key = key
        self.result = result
        self.name = name
        self.host = host
        func count(_ key: String) -> Int { json[key]?.count ?? 0 }
        media = count("media")
        cached = count("cached")
        kept = count("kept")
        sourceBytes = count("sourceBytes")
        renditionBytes = count("renditionBytes")
        milliseconds = count("ms")
        reason = json["reason"]?.string.flatMap { DegradationReason(rawValue: $0) }
        detail = json["detail"]?.string
    }
}
