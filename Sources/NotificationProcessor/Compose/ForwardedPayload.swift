package import NotificationModel

/// The payload to send on: the provider's own JSON, with the renditions' public URLs in the places of its media's.
///
/// Nothing else is touched, unless the service that takes it to its receivers would refuse it for its size: then the
/// texts that people see are shortened by as little as that needs, bodies before subtitles before titles. Each keeps its
/// first character at least; where all of that is not enough they stay as they are. Texts of one line at several places
/// (a message to FCM has a body for each platform) are cut to the same length.
package struct ForwardedPayload: Sendable, Equatable {
    package let payload: JSONObject
    /// Of what the service counts, in UTF-8 without white space; of the whole payload where there is no limit.
    package let byteCount: Int
    /// Bytes. `nil`: it is sent to no service whose limit is known.
    package let limit: Int?
    /// Texts are shorter than the provider's.
    package let isTruncated: Bool

    /// Whether the service takes it.
    package var fits: Bool { limit.map { byteCount <= $0 } ?? true }

    /// - Parameters:
    ///   - reading: what a dialect found in this payload.
    ///   - publicURLs: by index into the media of the reading.
    ///   - text: what it is to say; `nil`: the provider's own texts.
    ///   - headers: those of APNs, where the envelope has them.
    package init(
        payload: JSONObject, reading: PushPayload, publicURLs: [Int: String], text: NotificationText? = nil,
        headers: JSONObject?, dialect: DialectID?
    ) {
        let replacements = reading.media.enumerated().compactMap { index, medium in
            publicURLs[index].flatMap { url in medium.path.map { (place: $0, text: url) } }
        }
        let pointing = payload.replacing(replacements)
        let replaced = text.map { ForwardedText(text: $0, dialect: dialect).placed(in: pointing) } ?? pointing
        guard let service = PushService(payload, dialect: dialect, headers: headers) else {
            self.payload = replaced
            byteCount = JSONWriter.bytes(of: .object(replaced)).count
            limit = nil
            isTruncated = false
            return
        }
        let excess = service.byteCount(of: replaced) - service.limit
        let shortened = excess > 0 ? replaced.shortened(service, by: excess) : nil
        self.payload = shortened ?? replaced
        byteCount = service.byteCount(of: shortened ?? replaced)
        limit = service.limit
        isTruncated = shortened != nil
    }

    package var json: JSONValue {
        [
            "payload": .object(payload),
            "bytes": .number(JSONNumber(byteCount)),
            "limit": limit.map { .number(JSONNumber($0)) } ?? .null,
            "truncated": .bool(isTruncated),
            "fits": .bool(fits),
        ]
    }
}

extension JSONObject {
    fileprivate func replacing(_ replacements: [(place: JSONPath, text: String)]) -> JSONObject {
        let value = replacements.reduce(JSONValue.object(self)) { value, replacement in
            value.replacing(replacement.place, with: .string(replacement.text))
        }
        return value.object ?? self
    }

    /// This payload with texts that are together so many bytes shorter, or a little more; `nil`: they have not so many
    /// to spare.
    fileprivate func shortened(_ service: PushService, by excess: Int) -> JSONObject? {
        var excess = excess
        var replacements: [(place: JSONPath, text: String)] = []
        for line in service.texts(of: self) {
            let texts = line.compactMap { ShortenedText($0, limit: service.limit) }
            func saving(keeping count: Int) -> Int { texts.reduce(0) { $0 + $1.saving(keeping: count) } }
            let enough = (1...service.limit).last { saving(keeping: $0) >= excess }
            replacements += texts.map { ($0.place, $0.text(keeping: enough ?? 1)) }
            if enough != nil { return replacing(replacements) }
            excess -= saving(keeping: 1)
        }
        return nil
    }
}
