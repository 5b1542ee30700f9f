import Base
import NotificationModel
import NotificationProcessor

/// A probe of changed payloads, which finds the changes after which a dialect reads more.
struct PayloadProbe {
    /// A dialect with the positions at which it looks for values.
    struct Reader {
        let dialect: DialectID
        let lookups: [JSONLookups.Lookup]

        /// Returns the number of values that the dialect finds in the payload, without the objects and lists around them.
        ///
        /// - Parameter place: A position whose values do not count; `nil` if all values count.
        func keyCount(outside place: JSONPath? = nil) -> Int {
            func counts(_ lookup: JSONLookups.Lookup) -> Bool {
                guard let value = lookup.value, value != .null else { return false }
                let isOutside = place.map { !lookup.path.steps.starts(with: $0.steps) } ?? true
                return value.object == nil && value.array == nil && isOutside
            }
            return Set(lookups.lazy.filter(counts).map(\.path)).count
        }
    }

    /// The maximum number of positions of one dialect. More positions can only come from a long array.
    private static let maxLookups = 1_024
    /// The maximum number of bytes in all changed payloads together. It permits many small ones or a few large ones.
    private static let maxBytes = 1 << 19
    private static let most = 128

    let payload: JSONObject
    let reading: PushPayload
    /// The dialects with their lookups. The payload's own dialect, which is the most accurate, comes first.
    let readers: [Reader]
    private let dialects: DialectTable
    private let requested: DialectID?
    private let content: ReadContent
    /// The number of changed payloads that may still be read.
    private var rest: Int

    /// Creates the probe of one payload, and looks up its keys in each dialect.
    ///
    /// - Parameter byteCount: The size of the payload in its file, in bytes.
    /// - Parameter requested: The dialect that reads the payload without detection. If it is set, no other dialect is
    ///   tried. `nil` means that the dialect is detected.
    init(
        _ payload: JSONObject, of byteCount: Int, as reading: PushPayload, dialects: DialectTable,
        requested: DialectID?
    ) {
        rest = min(Self.most, Self.maxBytes / max(1, byteCount))
        self.payload = payload
        self.reading = reading
        self.dialects = dialects
        self.requested = requested
        content = ReadContent(reading)
        let others = requested == nil ? dialects.identifiers.filter { $0 != reading.dialect } : []
        readers = ([reading.dialect].compactMap(\.self) + others).map {
            Reader(dialect: $0, lookups: Array(dialects.lookups(in: payload, by: $0).prefix(Self.maxLookups)))
        }
    }

    /// Whether the dialect is not specific to a provider. Such a payload does not show the intended provider.
    var isOfAnySender: Bool { reading.dialect.map(dialects.isOfAnySender) ?? true }

    /// Returns the dialect that reads more of a changed payload than of the original payload. Returns `nil` if no
    /// dialect reads more, or if no more probes are permitted.
    mutating func better(_ changed: JSONObject) -> DialectID? {
        guard rest > 0 else { return nil }
        rest -= 1
        let other = dialects.read(changed, requested: requested)
        return ReadContent(other).saysMore(than: content) ? other.dialect : nil
    }

    /// Returns the number of values that a dialect finds in a payload.
    func keyCount(of dialect: DialectID, in payload: JSONObject) -> Int {
        Reader(dialect: dialect, lookups: Array(dialects.lookups(in: payload, by: dialect).prefix(Self.maxLookups)))
            .keyCount()
    }

    /// Returns the provider's dialect that recognises a changed payload. Returns `nil` if no such dialect recognises
    /// it, or if a provider's dialect already recognises the original payload.
    mutating func provider(of changed: JSONObject) -> DialectID? {
        guard isOfAnySender, requested == nil, rest > 0 else { return nil }
        rest -= 1
        let dialect = dialects.read(changed).dialect
        return dialect.flatMap { dialects.isOfAnySender($0) ? nil : $0 }
    }
}
