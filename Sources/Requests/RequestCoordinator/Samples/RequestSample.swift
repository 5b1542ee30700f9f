import Base
import FoundationEssentials
import NotificationModel

/// A request as an operator may pass it on: its times, its media and the shape of its payload, without texts, names and
/// secrets. The members of a result are chosen one by one, so a text that a later version adds to results is left out.
enum RequestSample {
    /// The maximum size of a result whose scenario is made, in bytes. A larger result has no scenario.
    static let maxBytes = 1 << 20
    private static let maxMedia = 16
    private static let maxTransfers = 16

    /// Returns the scenario of a result.
    ///
    /// - Parameter elapsed: The time from the acceptance to the published result.
    static func json(of content: EmittedContent, elapsed: Duration, at date: Date) -> JSONValue {
        let result = content.json.count <= maxBytes ? try? JSONParser.value(of: content.json) : nil
        let payload = result?["content"]["userInfo"]
        return [
            "id": .string(PayloadShape.digest(of: content.key.id.description)),
            "group": .string(content.key.group.description),
            "at": .timestamp(date),
            "outcome": .string(content.outcome.rawValue),
            "reason": .text(content.reason?.rawValue),
            "dialect": .text(result?["dialect"]?.string),
            "elapsedMs": .number(Int(elapsed.milliseconds)),
            "slackMs": content.facts?.timing.map { .number(Int($0.slack * 1_000)) } ?? .null,
            "resultBytes": .number(content.json.count),
            "media": .array((result?["verdicts"]?.array ?? []).prefix(maxMedia).map(media)),
            // An envelope, which `appgroupd process` takes.
            "request": [
                "profile": .text(result?["profile"]?.string),
                "budget": .string("\(result?["timing"]["budgetMs"]?.integer ?? 0)ms"),
                "payload": payload.map(PayloadShape.of) ?? .null,
            ],
        ]
    }

    private static func media(_ verdict: JSONValue) -> JSONValue {
        [
            "url": .string(PayloadShape.text(like: verdict["url"]?.string ?? "")),
            "result": choice(verdict["result"], of: ["shown", "omitted"]),
            "reason": reason(verdict["reason"]),
            "mimeType": .text(verdict["type"]["mimeType"]?.string.map(PayloadShape.text(like:))),
            "stages": .array(
                (verdict["stages"]?.array ?? []).map { stage in
                    [
                        "name": .text(stage["name"]?.string.flatMap(StageName.init(rawValue:))?.rawValue),
                        "ms": number(stage["ms"]),
                    ]
                }),
            "transfers": .array((verdict["transfers"]?.array ?? []).prefix(maxTransfers).map(transfer)),
        ]
    }

    private static func transfer(_ transfer: JSONValue) -> JSONValue {
        [
            "origin": .text(transfer["origin"]?.string.flatMap(PayloadShape.origin(of:))),
            "protocol": choice(transfer["protocol"], of: ["http/1.0", "http/1.1", "h2"]),
            "reused": .bool(transfer["reused"]?.bool ?? false),
            "dnsMs": number(transfer["dnsMs"]), "connectMs": number(transfer["connectMs"]),
            "tlsMs": number(transfer["tlsMs"]), "waitMs": number(transfer["waitMs"]),
            "bodyMs": number(transfer["bodyMs"]), "wireBytes": number(transfer["wireBytes"]),
            "status": number(transfer["status"]), "reason": reason(transfer["reason"]),
        ]
    }

    private static func reason(_ value: JSONValue?) -> JSONValue {
        .text(value?.string.flatMap(DegradationReason.init(rawValue:))?.rawValue)
    }

    private static func choice(_ value: JSONValue?, of words: Set<String>) -> JSONValue {
        .text(value?.string.flatMap { words.contains($0) ? $0 : nil })
    }

    private static func number(_ value: JSONValue?) -> JSONValue {
        if case .number(let number)? = value { .number(number) } else { .null }
    }
}
