import JSON
import NotificationModel
import NotificationProcessor

/// Reads changed payloads, to find the change after which a dialect reads more.
struct PayloadTrial {
    /// The places at which a dialect looks.
    struct Reader {
        let dialect: DialectID
        let lookups: [JSONLookups.Lookup]
    }

    /// Places that are taken of one dialect. More belong to a long array.
    private static let mostLookups = 1_024
    /// Bytes of payloads that are read: many small ones, or a few large ones.
    private static let mostBytes = 1 << 19
    private static let most = 128

    let payload: JSONObject
    let reading: PushPayload
    /// The payload's own dialect first, which knows best, then all others.
    let readers: [Reader]
    private let dialects: DialectTable
    private let requested: DialectID?
    private let content: ReadContent
    /// Payloads that may still be read.
    private var rest: Int

    /// - Parameters:
    ///   - byteCount: size of the payload in its file.
    ///   - requested: a dialect that reads the payload without detection; no other one is asked.
    init(
        _ payload: JSONObject, of byteCount: Int, as reading: PushPayload, dialects: DialectTable,
        requested: DialectID?
    ) {
        rest = min(Self.most, Self.mostBytes / max(1, byteCount))
        self.payload = payload
        self.reading = reading
        self.dialects = dialects
        self.requested = requested
        content = ReadContent(reading)
        let others = requested == nil ? dialects.identifiers.filter { $0 != reading.dialect } : []
        readers = ([reading.dialect].compactMap(\.self) + others).map {
            Reader(dialect: $0, lookups: Array(dialects.lookups(in: payload, by: $0).prefix(Self.mostLookups)))
        }
    }

    /// Any sender writes such a payload, so that it does not say which keys it was meant to have.
    var isOfAnySender: Bool { reading.dialect.map(dialects.isOfAnySender) ?? true }

    /// The dialect that reads more of a changed payload, or knows as a provider's what was nobody's; `nil`: none does.
    mutating func better(_ changed: JSONObject) -> DialectID? {
        guard rest > 0 else { return nil }
        rest -= 1
        let other = dialects.read(changed, requested: requested)
        return ReadContent(other).saysMore(than: content) ? other.dialect : nil
    }

    /// The provider that a changed payload is recognised as; `nil`: none, or it is recognised as a provider's already.
    mutating func provider(of changed: JSONObject) -> DialectID? {
        guard isOfAnySender, requested == nil, rest > 0 else { return nil }
        rest -= 1
        let dialect = dialects.read(changed).dialect
        return dialect.flatMap { dialects.isOfAnySender($0) ? nil : $0 }
    }
}
