package import Base
package import FoundationEssentials

/// The JSON of a result, `schemaVersion` 1. The order of its keys is fixed here, because people read the result.
extension ProcessedNotification {
    package var json: JSONValue {
        var members = self.members
        if !receiptURLs.isEmpty { members.append("receiptURLs", .object(receiptURLs)) }
        trace.add(to: &members)
        return .object(members)
    }

    private var members: JSONObject {
        [
            "schemaVersion": 1,
            "id": .string(id.description),
            "appGroup": .string(appGroup.description),
            "dialect": .text(payload.dialect?.description),
            "profile": .string(profile.name),
            "outcome": .string(outcome.rawValue),
            "reason": .text(reason?.rawValue),
            "problem": .text(problem),
            "providerId": .text(payload.providerID),
            "recipient": .text(recipient),
            "labels": .array(labels.map { .string($0) }),
            "detectedBy": .text(payload.detectedBy),
            "phone": [
                "wouldRunExtension": phone.wouldRunExtension.map { .bool($0) } ?? .null, "why": .text(phone.why),
            ],
            "content": content,
            "details": .object(payload.details),
            "push": push,
            "verdicts": .array(verdicts.map(\.json)),
            "timing": timing.json,
        ]
    }

    private var content: JSONValue {
        let aps = payload.aps
        return [
            "title": .string(text.title ?? ""),
            "subtitle": .string(text.subtitle ?? ""),
            "body": .string(text.body ?? ""),
            "badge": aps.badge.map { .number(JSONNumber($0)) } ?? .null,
            "sound": aps.sound?.json ?? .null,
            "categoryIdentifier": .string(aps.category ?? ""),
            "threadIdentifier": .string(aps.threadIdentifier ?? ""),
            "targetContentIdentifier": .text(aps.targetContentIdentifier),
            "interruptionLevel": .string(aps.interruptionLevel.rawValue),
            "relevanceScore": .number(JSONNumber(aps.relevanceScore)),
            "filterCriteria": .text(aps.filterCriteria),
            "launchImageName": .string(aps.launchImageName ?? ""),
            "userInfo": .object(userInfo),
            "actions": .array(actions.map { ["identifier": .string($0.identifier), "title": .string($0.title)] }),
            "attachments": .array(attachments.map(\.json)),
        ]
    }
}

extension NotificationSound {
    fileprivate var json: JSONValue {
        ["name": .string(name), "critical": .bool(critical), "volume": .number(JSONNumber(volume))]
    }
}

extension NotificationAttachment {
    fileprivate var json: JSONValue {
        let info = asset.info
        return [
            "identifier": .string(identifier),
            "role": .string(role.rawValue),
            "aside": .bool(isAside),
            "path": .string(asset.path),
            "publicURL": .text(publicURL),
            "type": .string(info.type.uniformTypeIdentifier),
            "mimeType": .string(info.type.mimeType),
            "bytes": .number(JSONNumber(info.byteCount)),
            "width": .number(JSONNumber(info.width)),
            "height": .number(JSONNumber(info.height)),
            "duration": info.duration?.json ?? .null,
            "frames": .number(JSONNumber(info.frames)),
            "streams": info.streams?.json ?? .null,
            "sha256": .string(asset.sha256),
            "blurhash": .text(preview?.blurhash),
            "dominantColor": .text(preview?.dominantColor),
            "options": options.json,
            "thumbnail": thumbnail?.imageJSON ?? .null,
            "poster": poster?.imageJSON ?? .null,
            "source": [
                "url": .string(sourceURL), "bytes": .number(JSONNumber(sourceByteCount)),
                "mimeType": .string(sourceType),
                "cache": .string(cache.rawValue), "duration": source?.duration?.json ?? .null,
                "frames": source?.frames.map { .number(JSONNumber($0)) } ?? .null,
                "streams": source?.streams.json ?? .null,
            ],
        ]
    }
}

extension Duration {
    /// The duration in seconds, rounded to the millisecond.
    fileprivate var json: JSONValue { .number(JSONNumber(milliseconds.rounded() / 1_000)) }
}

extension StoredAsset {
    fileprivate var imageJSON: JSONValue {
        [
            "path": .string(path), "width": .number(info.width), "height": .number(info.height),
            "mimeType": .string(info.type.mimeType),
        ]
    }
}

extension AttachmentOptions {
    fileprivate var json: JSONValue {
        [
            "thumbnailHidden": .bool(thumbnailHidden),
            "thumbnailClippingRect": thumbnailClippingRect.map {
                ["x": .number($0.x), "y": .number($0.y), "width": .number($0.width), "height": .number($0.height)]
            } ?? .null,
            "thumbnailTime": .number(thumbnailTime),
        ]
    }
}

extension Verdict {
    fileprivate var json: JSONValue {
        [
            "url": .string(url),
            "identifier": .string(identifier),
            "result": failure == nil ? "shown" : "omitted",
            "reason": .text((failure?.reason ?? reduction?.reason)?.rawValue),
            "detail": .text(detail),
            "unError": unError.map { .number(JSONNumber($0.rawValue)) } ?? .null,
            "type": type,
            "stages": .array(
                stages.map { ["name": .string($0.name.rawValue), "ms": .number(.tenths(of: $0.duration))] }),
            "transfers": .array(transfers.map(\.json)),
        ]
    }
}

extension Verdict {
    private var detail: String? {
        let parts = [
            failure?.detail ?? reduction?.detail, damage, codingFault, cut, omission, repairedURL, phoneObstacle,
        ]
        .compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }

    /// A note about characters of the URL that are invisible, and about spaces that were requested as %20; `nil` without
    /// such characters.
    private var repairedURL: String? {
        guard !url.utf8.starts(with: "data:".utf8) else { return nil }
        if let found = InvisibleCharacters.first(in: url) {
            return "the URL has \(found): remove it"
        }
        guard failure == nil, url.utf8.contains(UInt8(ascii: " ")) else { return nil }
        return "the URL has spaces, and was fetched with %20 in their place: write %20"
    }

    /// The media type, the way in which it was decided, and whether the payload declares the same type; `null` if
    /// nothing is known about the type.
    private var type: JSONValue {
        guard sourceType != nil || declaredType != nil else { return .null }
        let agrees = sourceType.flatMap { declaredType?.agrees(withMIMEType: $0) }
        return [
            "mimeType": .text(sourceType), "decidedBy": .text(sourceType.map { _ in "bytes" }),
            "declared": .text(declaredType?.description), "agrees": agrees.map { .bool($0) } ?? .null,
        ]
    }
}

extension ProcessedNotification.Timing {
    fileprivate var json: JSONValue {
        [
            "receivedAt": .timestamp(receivedAt),
            "deadline": .timestamp(receivedAt.addingTimeInterval(budget.seconds)),
            "emittedAt": .timestamp(receivedAt.addingTimeInterval(elapsed.seconds)),
            "budgetMs": .number(JSONNumber(Int(budget.milliseconds.rounded()))),
            "elapsedMs": .number(JSONNumber(Int(elapsed.milliseconds.rounded()))),
        ]
    }
}

extension JSONValue {
    package static func text(_ string: String?) -> JSONValue { string.map { .string($0) } ?? .null }

    /// Returns a date as RFC 3339 in UTC, rounded to the millisecond.
    package static func timestamp(_ date: Date) -> JSONValue { .string(InternetDate.text(date)) }
}

extension JSONNumber {
    /// Returns milliseconds with one digit after the decimal point.
    static func tenths(of duration: Duration) -> JSONNumber { JSONNumber(duration.milliseconds.roundedToTenths) }
}
