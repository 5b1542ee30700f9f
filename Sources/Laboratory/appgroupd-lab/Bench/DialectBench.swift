import Base
import LinuxIO
import NotificationProcessor

/// A benchmark of the search for the dialect of a payload. It measures the processor time of asking each dialect.
///
/// Only the last dialects recognise the payloads, so nearly all are asked. Each payload has about 1,000 bytes.
struct DialectBench: Sendable {
    let rounds: Int

    struct Result: Sendable {
        var name: String
        var byteCount: Int
        /// The processor time of one search.
        var cost: Duration
    }

    func run() -> [Result] {
        [("a push to APNs", Self.push), ("a message to FCM", Self.message)].map { name, payload in
            for _ in 0..<max(1, rounds / 10) { search(payload) }
            let before = ProcessorTime.now
            for _ in 0..<rounds { search(payload) }
            let cost = (ProcessorTime.now - before) / rounds
            return Result(name: name, byteCount: JSONWriter.bytes(of: .object(payload)).count, cost: cost)
        }
    }

    @inline(never)
    private func search(_ payload: JSONObject) { _ = DialectTable.standard.detect(PayloadLayout(payload)) }

    private static var push: JSONObject {
        var payload: JSONObject = [
            "aps": [
                "alert": ["title": "Coach says hi", "body": "Tap to play the message."], "mutable-content": 1,
                "thread-id": "lesson-4711",
            ]
        ]
        for (key, value) in custom { payload.append(key, value) }
        return payload
    }

    private static var message: JSONObject {
        var data: JSONObject = ["title": "Coach says hi", "body": "Tap to play the message."]
        for (key, value) in custom { data.append(key, value) }
        return [
            "message": [
                "token": "4711", "notification": ["title": "Coach says hi", "body": "Tap to play the message."],
                "data": .object(data),
            ]
        ]
    }

    private static var custom: [(String, JSONValue)] {
        let keys = ["order", "customer", "deepLink", "campaignIdentifier", "locale", "experiment", "trackingToken"]
        return keys.map { ($0, .string(String(repeating: "0123456789", count: 10))) }
    }
}
