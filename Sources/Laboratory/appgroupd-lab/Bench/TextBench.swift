import Base
import FeatureKit
import FoundationEssentials
import LinuxIO
import NotificationModel
import NotificationProcessor
import ServiceConfiguration

/// A benchmark of payloads without media. It measures the processor time from the bytes of a payload to the bytes of
/// its content: for parsing, reading, composing and writing.
///
/// The payloads are the samples of all dialects, without their media.
struct TextBench: Sendable {
    let rounds: Int
    let fixtures: String

    struct Result: Sendable {
        /// The processor time for one payload of each sample, in the order of the samples' names.
        var costs: [(name: String, cost: Duration)]

        var mean: Duration { costs.reduce(.zero) { $0 + $1.cost } / max(1, costs.count) }
        var dearest: (name: String, cost: Duration)? { costs.max { $0.cost < $1.cost } }
    }

    func run() async throws -> Result {
        let directory = BenchSetup.directory()
        defer { try? FileManager.default.removeItem(atPath: directory) }
        var configuration = Configuration.ofThisMachine
        configuration.root = directory
        configuration.workers = 1
        let clock = SystemClock()
        let runtime = try Runtime(configuration, clock: clock)
        let reader = EnvelopeReader(defaults: RequestDefaults(configuration), dialects: .standard)
        var costs: [(name: String, cost: Duration)] = []
        for (name, bytes) in try samples() {
            for _ in 0..<max(1, rounds / 10) { try await process(bytes, reader, runtime.pipeline, clock) }
            let before = ProcessorTime.now
            for _ in 0..<rounds { try await process(bytes, reader, runtime.pipeline, clock) }
            costs.append((name, (ProcessorTime.now - before) / rounds))
        }
        await runtime.shutdown()
        return Result(costs: costs)
    }

    private func process(
        _ bytes: [UInt8], _ reader: EnvelopeReader, _ pipeline: NotificationPipeline, _ clock: SystemClock
    ) async throws {
        let object = try JSONParser.value(of: bytes).object ?? JSONObject()
        let (request, _) = reader.request(from: Submission(object: object, arrival: clock.reading))
        try await pipeline.process(request) { _ = JSONWriter.bytes(of: $0.json).count }
    }

    private func samples() throws -> [(String, [UInt8])] {
        let directory = fixtures + "/payloads"
        let names: [String]
        do throws(SystemError) { names = try FileSystem.names(in: directory) } catch {
            throw CommandFailure(.usage, "--fixtures \(fixtures): \(error.reason): name the fixtures of the project")
        }
        return try names.filter { $0.hasSuffix(".json") && $0 != "EXPECTED.json" }.sorted().map { name in
            let value = try JSONParser.value(of: try FileSystem.contents(of: "\(directory)/\(name)"))
            return (String(name.dropLast(5)), JSONWriter.bytes(of: Self.withoutMedia(value)))
        }
    }

    /// Returns the payload of an envelope, with `null` instead of each reference to a media item.
    private static func withoutMedia(_ value: JSONValue) -> JSONValue {
        let payload = value["payload"]?.object ?? value.object ?? JSONObject()
        return DialectTable.standard.read(payload).media.compactMap(\.path)
            .reduce(.object(payload)) { $0.replacing($1, with: .null) }
    }
}
