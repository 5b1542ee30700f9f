import Base
import FoundationEssentials
import HTTPCaching
import HTTPTypes
import NotificationModel
import TestSupport

extension FuzzTarget {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)
    /// The first second after the year 9999. A leap second at the end of that year results in a year of five digits,
    /// which HTTP does not have.
    private static let endOfDates = Date(timeIntervalSince1970: 253_402_300_800)
    /// The seconds that pass before each request, so that the response in the cache is fresh, then stale, then very
    /// old.
    private static let pauses: [Double] = [0, 1, 90, 1_000_000]

    /// Sends requests to the cache. Empty lines divide the input into sections: a request, and the responses of the
    /// origin in turn. A first line without a colon is the method or the status.
    static func http(_ bytes: [UInt8]) throws(FuzzFinding) {
        let sections = sections(of: bytes)
        for section in sections { try requireReadable(section.fields) }
        let results = exchange(sections[0], responses: Array(sections.dropFirst()))
        try require(results.count == pauses.count, "each request to the cache ends")
        for case .success(let response) in results {
            try require((200...599).contains(response.head.status), "an answer of the cache has a status")
            try require(
                response.body.bytes.lowerBound >= 0 && response.body.bytes.upperBound <= FuzzOrigin.bodyBytes,
                "the bytes of an answer are those of a stored response")
        }
    }

    /// Checks that a header has the same value if it is read alone, if all headers are read, and if it is written and
    /// read again.
    private static func requireReadable(_ lines: FieldLines) throws(FuzzFinding) {
        let fields = lines.fields
        try require(FieldLines(fields).fields == fields, "fields that are written read as they were")
        for field in fields {
            let value = ResponseHead(status: 200, fields: fields).value(of: field.name)
            try require(FieldLines(lines.bytes).value(of: field.name) == value, "a field reads the same alone")
            if let range = ContentRange(field.value) {
                try require(
                    !range.bytes.isEmpty && range.bytes.upperBound <= range.completeLength ?? .max,
                    "a content range lies in the representation")
            }
            guard let date = HTTPDate.read(field.value, now: now), date < endOfDates else { continue }
            try require(HTTPDate.read(HTTPDate.text(date), now: now) == date, "a date is written as it was read")
        }
    }

    /// Returns the responses of the cache, one after each pause.
    private static func exchange(
        _ section: Section, responses: [Section]
    ) -> [Result<OriginResponse, MediaFailure>] {
        let origin = FuzzOrigin(responses.map(\.response))
        let clock = Guarded(now)
        let results = Guarded<[Result<OriginResponse, MediaFailure>]>([])
        let cache = CachingExchange(
            store: FuzzResponseStore(), policy: CachingPolicy(defaultFreshness: 60),
            now: { clock.withLock { $0 } }, makeID: { origin.makeID() })
        let request = section.request
        let executor = TurnedExecutor()
        Task(executorPreference: executor) {
            for pause in pauses {
                let date = clock.withLock { clock in
                    clock += pause
                    return clock
                }
                let result = await cache.exchange(request, key: request.url) { _, _ in origin.response(at: date) }
                if (try? result.get().mustBeValidated) == true {
                    await cache.revalidate(request, key: request.url) { _, _ in origin.response(at: date) }
                }
                results.withLock { $0.append(result) }
            }
        }
        executor.turn()
        return results.withLock { $0 }
    }
}
