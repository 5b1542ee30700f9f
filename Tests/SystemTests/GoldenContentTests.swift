import Base
import Foundation
import Lab
import NotificationModel
import TestSupport
import Testing

/// Tests that compare whole contents of `fixtures/demo` with `fixtures/golden`.
///
/// Some values differ between runs (the origin's port, times) or between encoders (digests, lengths, previews). The
/// tests replace each such value by the name of its kind. `REWRITE_GOLDENS=1` writes the present contents. A person
/// then reads and commits the differences.
@Suite struct GoldenContentTests {
    private static let cases = [
        "1-2mee-video-and-picture", "2-sendios-picture", "3-apns-animation", "4-stalled-video",
        "5-stalled-video-and-photo", "6-not-found", "7-refused-address", "8-no-media",
    ]

    @Test(arguments: cases)
    func `a content equals its golden file`(_ name: String) async throws {
        let root = try TemporaryDirectory()
        let demo = try JSONParser.value(of: try Fixtures.bytes("demo/\(name).json"))
        let request = JSONWriter.text(of: try #require(demo["request"]))
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            let input = request.replacingOccurrences(of: "{{origin}}", with: origin.baseURL)
            let run = try await ProgramRun.appgroupd(
                "process", "--root", root.path, "--allow-address", "127.0.0.0/8", "--budget", "60s", "-", input: input)
            let line = try #require(run.output.first).replacingOccurrences(of: origin.baseURL, with: "{{origin}}")
            let content = Self.normalised(try JSONParser.value(of: line))
            let path = "\(Fixtures.directory)/golden/\(name).json"
            let text = JSONWriter.text(of: content, pretty: true) + "\n"
            let golden = try Golden.text(at: path, made: text)
            #expect(text == golden, "\(name): the result differs from \(path); REWRITE_GOLDENS=1 rewrites it")
        }
    }

    private static func normalised(_ value: JSONValue, key: String = "") -> JSONValue {
        switch (key, value) {
        case ("ms", .number), ("elapsedMs", .number): "a time"
        case ("receivedAt", .string), ("deadline", .string), ("emittedAt", .string): "a date"
        case ("sha256", .string): "a digest"
        case ("bytes", .number): "a length"
        case ("blurhash", .string(let hash)): .string("\(hash.prefix(1))… a BlurHash")
        case ("dominantColor", .string): "a colour"
        case ("path", .string(let path)): .string("media/….\(path.split(separator: ".").last ?? "")")
        // The stages depend on the reuse of connections and on the time of each stage.
        case ("stages", .array): "the stages"
        case ("transfers", .array(let transfers)): .array(transfers.map { _ in "a transfer" })
        case (_, .array(let elements)): .array(elements.map { normalised($0) })
        case (_, .object(let object)):
            .object(
                object.members.reduce(into: JSONObject()) { result, member in
                    result.append(member.key, normalised(member.value, key: member.key))
                })
        default: value
        }
    }
}
