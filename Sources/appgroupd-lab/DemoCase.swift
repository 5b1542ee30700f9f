import CommandSupport
import JSON
import LinuxIO
import NotificationModel
import NotificationProcessor
import Primitives

/// A file of `fixtures/demo`: a title, a request, and the expected outcome and reason.
struct DemoCase {
    let title: String
    private let request: String
    private let outcome: String?
    private let reason: String?

    /// Returns all cases of a directory, in the order of the files' names.
    static func all(in directory: String) throws(CommandFailure) -> [DemoCase] {
        do {
            let names = try FileSystem.names(in: directory).filter { $0.hasSuffix(".json") }.sorted()
            return try names.map { name in
                let value = try JSONParser.value(of: try FileSystem.contents(of: "\(directory)/\(name)"))
                return DemoCase(value, name: name)
            }
        } catch {
            throw CommandFailure(
                .usage, "\(directory): \(error): run the command in the project's directory, or name --fixtures")
        }
    }

    private init(_ value: JSONValue, name: String) {
        title = value["title"]?.string ?? name
        request = value["request"].map { JSONWriter.text(of: $0) } ?? "{}"
        outcome = value["expect"]["outcome"]?.string
        reason = value["expect"]["reason"]?.string
    }

    /// Processes the request, and returns the emitted result.
    ///
    /// - Parameter origin: The URL that replaces `{{origin}}` in the request.
    func play(through pipeline: NotificationPipeline, origin: String) async throws -> ProcessedNotification {
        let text = request.split(separator: "{{origin}}", omittingEmptySubsequences: false).joined(separator: origin)
        let clock = SystemClock()
        let reader = EnvelopeReader(defaults: RequestDefaults(), dialects: .standard)
        let object = try JSONParser.value(of: text).object ?? JSONObject()
        let (request, error) = reader.request(from: Submission(object: object, arrival: clock.arrival))
        if let error { throw error }
        var emitted: ProcessedNotification?
        try await pipeline.process(request) { emitted = $0 }
        guard let emitted else { throw CommandFailure(.failed, "\(title): nothing was emitted") }
        return emitted
    }

    func expects(_ notification: ProcessedNotification) -> Bool {
        notification.outcome.rawValue == outcome && notification.reason?.rawValue == reason
    }
}
