package import Base
package import NotificationModel

/// The payload to forward. It is the provider's own JSON with the public URLs and the values (type, size, width, height
/// …) of the renditions instead of those of the media items.
///
/// All other values are unchanged, unless the payload is too large for the service that delivers it to the recipients.
/// In that case the texts that people see are shortened as little as possible: first bodies, then subtitles, then
/// titles. Each text keeps at least its first character. If the payload would still be too large, the texts stay as
/// they are. A payload may have several texts of one kind: a message to FCM has a body for each platform. These texts
/// are cut to the same length.
package struct ForwardedPayload: Sendable, Equatable {
    package let payload: JSONObject
    /// The number of bytes that the service counts, in UTF-8 without white space. Without a limit, the number is the
    /// size of the whole payload.
    package let byteCount: Int
    /// The largest size that the service accepts, in bytes. `nil` if its limit is unknown, or there is no service.
    package let limit: Int?
    /// Whether texts are shorter than those of the provider.
    package let isTruncated: Bool

    /// Whether the payload is within the limit. A payload without a limit always fits.
    package var fits: Bool { limit.map { byteCount <= $0 } ?? true }

    /// Creates the payload to forward.
    ///
    /// - Parameter reading: The result of a dialect for this payload.
    /// - Parameter publicURLs: The URLs of the renditions, by index into the media of the reading.
    /// - Parameter renditions: The known facts about the files at these URLs.
    /// - Parameter text: The text that replaces the provider's texts; `nil` if these texts stay.
    /// - Parameter headers: The headers for APNs, if the envelope has them.
    package init(
        payload: JSONObject, reading: PushPayload, publicURLs: [Int: String], renditions: [Int: RenditionInfo] = [:],
        text: NotificationText? = nil,
        headers: JSONObject?, dialect: DialectID?
    ) {
        let pointing = reading.media.enumerated().reduce(payload) { payload, item in
            guard let url = publicURLs[item.offset] else { return payload }
            return payload.showing(url, renditions[item.offset], in: item.element)
        }
        let replaced = text.map { ForwardedText(text: $0).placed(in: pointing, at: reading.textPlaces) } ?? pointing
        let service = PushService(payload, isFCMMessage: reading.isFCMMessage, dialect: dialect, headers: headers)
        let shortened = service.flatMap { service in
            let excess = service.byteCount(of: replaced) - service.limit
            return excess > 0 ? replaced.shortened(by: excess, limit: service.limit, at: reading.textPlaces) : nil
        }
        self.payload = shortened ?? replaced
        byteCount = service?.byteCount(of: self.payload) ?? JSONWriter.bytes(of: .object(self.payload)).count
        limit = service?.limit
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
    /// Returns this payload with the URL and the values of a rendition instead of those of a media item.
    fileprivate func showing(_ url: String, _ info: RenditionInfo?, in item: MediaReference) -> JSONObject {
        guard let place = item.path else { return self }
        var payload = JSONValue.object(self)
        for claim in item.claims {
            let old = JSONNode(payload).node(at: claim.path).value
            guard let info, let value = claim.value(of: info, insteadOf: old) else { continue }
            guard old == nil, case .key(let key)? = claim.path.steps.last else {
                payload = payload.replacing(claim.path, with: value)
                continue
            }
            payload = payload.setting(key, to: value, at: JSONPath(claim.path.steps.dropLast()))
        }
        let shown =
            item.publicURLKey.map { payload.replacing(place, with: .string(url), as: $0) }
            ?? payload.replacing(place, with: .string(url))
        return shown.object ?? self
    }

    fileprivate func replacing(_ replacements: [(place: JSONPath, text: String)]) -> JSONObject {
        let value = replacements.reduce(JSONValue.object(self)) { value, replacement in
            value.replacing(replacement.place, with: .string(replacement.text))
        }
        return value.object ?? self
    }

    /// Returns this payload with texts that are together at least `excess` bytes shorter; `nil` if this is impossible.
    fileprivate func shortened(by excess: Int, limit: Int, at places: [TextPlace]) -> JSONObject? {
        var excess = excess
        var replacements: [(place: JSONPath, text: String)] = []
        for line in lines(at: places) {
            let texts = line.compactMap { ShortenedText($0, limit: limit) }
            func saving(keeping count: Int) -> Int { texts.reduce(0) { $0 + $1.saving(keeping: count) } }
            let enough = (1...limit).last { saving(keeping: $0) >= excess }
            replacements += texts.map { ($0.place, $0.text(keeping: enough ?? 1)) }
            if enough != nil { return replacing(replacements) }
            excess -= saving(keeping: 1)
        }
        return nil
    }

    /// Returns the texts that people see, in the order in which they are shortened: bodies, subtitles, titles.
    private func lines(at places: [TextPlace]) -> [[JSONNode]] {
        let texts = places.map { $0.lines(in: JSONNode(self)) }
        return [texts.map(\.body), texts.map(\.subtitle), texts.map(\.title)].map { line in
            line.compactMap(\.self).filter { $0.text != nil }
        }
    }
}
