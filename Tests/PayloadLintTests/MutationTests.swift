import Base
import Foundation
import NotificationModel
import NotificationProcessor
import PayloadLint
import TestSupport
import Testing

/// Tests with correct payloads into which one mistake was put. If a text or a media item is lost, there must be a
/// finding.
@Suite struct MutationTests {
    private static let seed: UInt64 = 2_026

    @Test func `lint reports every mistake that makes a text or a media item unreadable`() throws {
        var random = SeededGenerator(seed: Self.seed)
        var (made, lost, missed): (Int, Int, [String]) = (0, 0, [])
        for name in try Self.samples().sampled(every: 3) {
            let good = try JSONParser.value(of: Fixtures.bytes("payloads/\(name)"))
            let (content, known) = (MutationContent(good), Self.findings(good))
            for place in content.places(in: good) {
                for mutation in Mutation.all(of: good, at: place, &random) {
                    made += 1
                    let lack = content.lack(in: MutationContent(mutation.value))
                    guard let lack else { continue }
                    lost += 1
                    if Self.findings(mutation.value).isSubset(of: known) {
                        missed.append("\(name): \(mutation): \(lack)")
                    }
                }
            }
        }
        print(
            "mutations of good payloads, seed \(Self.seed): \(made) made, \(lost) lost something,",
            "\(lost - missed.count) reported")
        #expect(made >= 200)
        #expect(lost >= 100)
        #expect(missed.isEmpty, "\(missed.count) are not reported:\n\(missed.joined(separator: "\n"))")
    }

    private static func samples() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: Fixtures.directory + "/payloads").sorted()
            .filter { $0.hasSuffix(".json") && $0 != "EXPECTED.json" }
    }

    /// Returns the rules and places of all errors and warnings.
    private static func findings(_ value: JSONValue) -> Set<String> {
        let file = LintFile(name: "mutation", bytes: Array(JSONWriter.text(of: value).utf8))
        return Set(Lint.linter.lint(file).filter { $0.severity > .note }.map { "\($0.rule) \($0.pointer)" })
    }
}

/// The texts and media of a payload that a recipient gets.
private struct MutationContent {
    private let texts: [String: String]
    private let media: Set<String>
    private let mediaPlaces: [JSONPath]

    init(_ value: JSONValue) {
        let clock = ManualClock()
        let (request, error) = EnvelopeReader(defaults: RequestDefaults(), dialects: .standard)
            .request(from: Submission(object: value.object ?? [:], arrival: clock.reading))
        let reading =
            error == nil ? DialectTable.standard.read(request.payload, requested: request.dialect) : PushPayload()
        var texts: [String: String] = [:]
        func add(_ name: String, _ text: NotificationText?) {
            for (line, text) in [("title", text?.title), ("subtitle", text?.subtitle), ("body", text?.body)] {
                if let text, !text.isEmpty { texts["\(name) \(line)"] = text }
            }
        }
        add("success", reading.successText)
        add("fallback", request.fallback ?? reading.fallbackText)
        for (platform, text) in reading.platformTexts { add(platform.rawValue, text) }
        self.texts = texts
        media = Set(reading.media.map(\.url))
        let isEnvelope = value["payload"]?.object == request.payload
        mediaPlaces = reading.media.compactMap(\.path).map {
            JSONPath((isEnvelope ? [.key("payload")] : []) + $0.steps)
        }
    }

    /// Returns the first text or media item that another content lacks. Returns `nil` if the other content lacks no
    /// text and no media item.
    func lack(in other: MutationContent) -> String? {
        if let url = media.subtracting(other.media).sorted().first { return "no medium \(url)" }
        return texts.keys.sorted().first { texts[$0] != other.texts[$0] }.map { "no text \($0)" }
    }

    /// Returns the paths of the keys with texts and media, and of the keys that contain them, without duplicates.
    func places(in value: JSONValue) -> [JSONPath] {
        let shown = Set(texts.values)
        var (seen, places): (Set<JSONPath>, [JSONPath]) = ([], [])
        for leaf in mediaPlaces
            + Self.strings(of: JSONNode(value)).filter({ shown.contains($0.string ?? "") }).map(\.path)
        {
            for count in leaf.steps.indices.map({ $0 + 1 }) {
                let place = JSONPath(Array(leaf.steps.prefix(count)))
                if case .key? = place.steps.last, seen.insert(place).inserted { places.append(place) }
            }
        }
        return places
    }

    /// Returns all strings, including the strings in embedded JSON.
    private static func strings(of node: JSONNode) -> [JSONNode] {
        if node.object != nil { return node.members.flatMap { strings(of: $0.node) } }
        if node.array != nil { return node.elements.flatMap(strings) }
        guard node.string != nil else { return [] }
        let embedded = node.embedded
        return [node] + (embedded.object != nil || embedded.array != nil ? strings(of: embedded) : [])
    }
}
