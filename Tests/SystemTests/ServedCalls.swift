import Base
import HTTPAPI
import NotificationModel
import Testing

@testable import appgroupd

extension DaemonClient {
    /// Submits a payload or an envelope.
    func post(_ body: String, _ headers: [String: String] = [:]) async throws -> Answer {
        try await request("POST", "/v1/notifications", headers: headers, body: Array(body.utf8))
    }

    func get(_ id: String) async throws -> Answer { try await request("GET", "/v1/notifications/\(id)") }

    /// Waits until a request is emitted, and returns its last event.
    @discardableResult
    func emission(of id: String) async throws -> JSONValue {
        let event = Guarded(ServerSentEvent())
        let last = Guarded<String?>(nil)
        try await forEachLine(of: "/v1/notifications/\(id)/events") { line in
            if let line = event.withLock({ $0.take(line) }) { last.withLock { $0 = line } }
        }
        let found = last.withLock(\.self)
        let text = try #require(found)
        let emission = try JSONParser.value(of: text)
        #expect(emission["event"] == "emitted")
        return emission
    }

    /// Returns the value of a metric, or the sum of its series. Returns `nil` if the daemon does not have the metric.
    func metric(_ name: String) async throws -> Double? {
        let answer = try await request("GET", "/metrics")
        return try ServedMetrics(String(decoding: answer.body, as: UTF8.self)).value(name)
    }
}

extension DaemonClient.Answer {
    var json: JSONValue { (try? JSONParser.value(of: body)) ?? .null }
}

/// The list of all events of a daemon, in their order.
final class ServedEvents: Sendable {
    let events = ServedArrivals<JSONValue>()
    private let reading = Guarded<Task<Void, any Error>?>(nil)

    /// Starts to listen, and returns when the listener receives the events of the daemon.
    static func listen(to client: DaemonClient) async throws -> ServedEvents {
        let served = ServedEvents()
        let reading = Task { [events = served.events] in
            defer { events.finish() }
            let event = Guarded(ServerSentEvent())
            try await client.forEachLine(of: "/v1/events") { line in
                guard let line = event.withLock({ $0.take(line) }) else { return }
                if let value = try? JSONParser.value(of: line) { events.append(value) }
            }
        }
        served.reading.withLock { $0 = reading }
        // The daemon does not confirm a listener. So requests are sent until the listener receives an event.
        while served.events.elements.isEmpty {
            let answer = try await client.post(ServedPayload.text("made to be heard"))
            try #require(answer.status == 200)
        }
        return served
    }

    func close() { reading.withLock { $0?.cancel() } }

    /// Waits for the event of an emission with an outcome, and returns it.
    @discardableResult
    func emitted(_ outcome: Outcome) async throws -> JSONValue {
        try await events.first { $0["event"] == "emitted" && $0["outcome"]?.string == outcome.rawValue }
    }
}

/// A parser of the text exposition format, which only finds the samples.
struct ServedMetrics {
    struct Malformed: Error { let line: String }

    /// The name, the labels as in the text, and the value of each sample.
    private(set) var samples: [(name: String, labels: String, value: Double)] = []

    init(_ text: String) throws {
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            guard let space = line.lastIndex(of: " "), let value = Double(line[line.index(after: space)...]) else {
                throw Malformed(line: String(line))
            }
            let series = line[..<space]
            let name = series.prefix { $0 != "{" }
            let labels = series[name.endIndex...]
            guard !name.isEmpty, labels.isEmpty || (labels.hasPrefix("{") && labels.hasSuffix("}")) else {
                throw Malformed(line: String(line))
            }
            samples.append((String(name), String(labels), value))
        }
    }

    func value(_ name: String, labels: String = "") -> Double? {
        let meant = samples.filter { $0.name == name && $0.labels.contains(labels) }
        return meant.isEmpty ? nil : meant.reduce(0) { $0 + $1.value }
    }
}
