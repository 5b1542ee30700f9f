import Base
import FoundationEssentials
import NotificationModel
import PayloadLint
import TestSupport
import Testing

/// Tests with hostile input. The linter returns findings for any input, in a time that grows with the size of the
/// input.
@Suite struct HostileTests {
    private static let samples =
        RuleCase.all.flatMap { $0.fires.map(\.text) + $0.spares }.filter { $0.utf8.count < 2_000 }.map {
            Array($0.utf8)
        }

    private static let seeds = 0..<UInt64(TestLength.rounds(8, short: 2))

    @Test(arguments: seeds) func `lint does not crash on payloads with randomly changed bytes`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for sample in Self.samples {
            var bytes = sample
            for _ in 0..<Int.random(in: 1...6, using: &random) where !bytes.isEmpty {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[place] = UInt8.random(in: .min ... .max, using: &random)
                case 1: bytes.remove(at: place)
                case 2: bytes.insert("{}[]\",:\\u0\n".utf8.randomElement(using: &random) ?? 0, at: place)
                default: bytes.removeLast(bytes.count - place)
                }
            }
            check(Lint.findings(bytes), of: bytes)
        }
    }

    @Test(arguments: seeds) func `lint does not crash on payloads with randomly changed values`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for sample in Self.samples {
            guard let value = try? JSONParser.value(of: sample) else { continue }
            let bytes = Array(JSONWriter.text(of: Self.changed(value, &random)).utf8)
            check(Lint.findings(bytes), of: bytes)
        }
    }

    private func check(_ findings: [LintFinding], of bytes: [UInt8]) {
        let lines = bytes.count { $0 == UInt8(ascii: "\n") } + 1
        let ids = Set(LintRule.all.map(\.id))
        for finding in findings {
            #expect((1...lines).contains(finding.line))
            #expect((1...bytes.count + 1).contains(finding.column))
            #expect(ids.contains(finding.rule))
        }
    }

    /// Returns the value with some of its values replaced at random.
    private static func changed(_ value: JSONValue, _ random: inout SeededGenerator) -> JSONValue {
        let others: [JSONValue] = [
            .null, true, 7, -1, .number(JSONNumber(literal: "1e400")), .number(JSONNumber(literal: "-0")), "", "aps",
            "\u{0}",
            [], [[:]], [:], ["aps": ["alert": 7]], "mxc://", "{\"a\":", "https://", "🇩🇪\u{FFFD}",
            .number(JSONNumber(literal: String(repeating: "9", count: 400))),
        ]
        if Int.random(in: 0..<6, using: &random) == 0 { return others.randomElement(using: &random) ?? .null }
        switch value {
        case .array(let elements): return .array(elements.map { changed($0, &random) })
        case .object(let object):
            var new = JSONObject()
            for member in object.members { new.append(member.key, changed(member.value, &random)) }
            return .object(new)
        default: return value
        }
    }

    struct Text: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let make: @Sendable (Int) -> String
    }

    /// The time for a text with ten times as many pieces is at most about ten times as long. A factor of 40 allows for
    /// noise.
    @Test(arguments: [
        Text(testDescription: "one object with many keys") { n in
            "{" + (0..<n).map { #""key\#($0)":1"# }.joined(separator: ",") + "}"
        },
        Text(testDescription: "one key many times") { n in
            #"{"aps":{"# + (0..<n).map { _ in #""badge":-1"# }.joined(separator: ",") + "}}"
        },
        Text(testDescription: "many objects") { n in String(repeating: #"{"aps":{"bagde":1}}"# + "\n", count: n / 10) },
        Text(testDescription: "many lines that are no JSON") { n in String(repeating: "{\n", count: n) },
        Text(testDescription: "many media") { n in
            #"{"media":["# + (0..<n).map { #"{"url":"http://a b/\#($0)","id":"x"}"# }.joined(separator: ",") + "]}"
        },
        Text(testDescription: "a long string") { n in #"{"aps":{"alert":"\#(String(repeating: "{{", count: n))"}}"# },
        Text(testDescription: "many brackets") { n in String(repeating: "[", count: n) },
        Text(testDescription: "deep objects") { n in
            String(
                repeating: String(repeating: #"{"a":"#, count: 127) + "1" + String(repeating: "}", count: 127),
                count: n / 127 + 1)
        },
    ])
    func `the time of lint grows with the size of the text, and not with its square`(_ text: Text) {
        let clock = ContinuousClock()
        func time(_ count: Int) -> Duration {
            let bytes = Array(text.make(count).utf8)
            return clock.measure { _ = Lint.findings(bytes) }
        }
        _ = time(100)
        let (short, long) = (time(400), time(4_000))
        #expect(long < short * 40 + .milliseconds(500), "\(short), \(long)")
    }

    /// The objects are just short enough to be checked. They consist of pieces that some rule compares with many
    /// others.
    @Test(arguments: [
        Text(testDescription: "keys of a template") { n in
            "{" + (0..<n).map { #""pt_img\#($0)":"x""# }.joined(separator: ",") + "}"
        },
        Text(testDescription: "named attachments") { n in
            #"{"os_data":{"att":{"# + (0..<n).map { #""\#($0)":"http://a b""# }.joined(separator: ",") + "}}}"
        },
        Text(testDescription: "unknown keys of aps") { n in
            #"{"aps":{"alert":{"# + (0..<n).map { #""mutable-contents\#($0)":1"# }.joined(separator: ",") + "}}}"
        },
        Text(testDescription: "nearly an envelope") { n in
            #"{"payload":{},"# + (0..<n).map { #""budgets\#($0)":1"# }.joined(separator: ",") + "}"
        },
        Text(testDescription: "data of FCM") { n in
            #"{"message":{"data":{"# + (0..<n).map { #""google.\#($0)":1"# }.joined(separator: ",") + "}}}"
        },
        Text(testDescription: "devices of Matrix") { n in
            #"{"notification":{"devices":["#
                + String(repeating: #"{"data":{"default_payload":{"aps":{"x":1}}}},"#, count: n) + "{}]}}"
        },
    ])
    func `an object of 64 KiB is checked in less than ten seconds`(_ text: Text) {
        var count = 100
        while text.make(count * 5 / 4).utf8.count < 65_000 { count = count * 5 / 4 }
        let bytes = Array(text.make(count).utf8)
        var findings: [LintFinding] = []
        let time = ContinuousClock().measure { findings = Lint.findings(bytes) }
        #expect(!findings.isEmpty)
        #expect(!findings.contains { $0.rule == "not-examined" })
        #expect(time < .seconds(10))
    }

    @Test func `lint reads objects up to the parser's depth limit, and reports deeper objects as invalid JSON`() {
        func nested(_ depth: Int) -> String {
            String(repeating: #"{"a":"#, count: depth) + "1" + String(repeating: "}", count: depth)
        }
        #expect(Lint.findings(nested(128)).map(\.rule) == ["unknown-payload"])
        #expect(Lint.findings(nested(129)).map(\.rule) == ["not-json"])
    }

    @Test func `a rule reports at most 100 findings`() {
        let keys = (0..<500).map { #""k\#($0)":1,"k\#($0)":2"# }.joined(separator: ",")
        #expect(Lint.findings(#"{"aps":{"alert":"x"},\#(keys)}"#, of: "duplicate-key").count == 100)
    }

    @Test func `the messages of findings are short and have no control characters`() {
        let key = "aps\u{1B}[2J\u{202E}" + String(repeating: "x", count: 5_000)
        var aps = JSONObject()
        aps.append(key, 1)
        let text = JSONWriter.text(of: ["aps": .object(aps)])
        for finding in Lint.findings(text) {
            #expect(!finding.message.contains("\u{1B}") && !finding.message.contains("\u{202E}"))
            #expect(finding.message.count < 300)
        }
        #expect(Lint.findings(text, of: "unknown-key").count == 1)
        for line in LintReport(Lint.findings(text), fileCount: 1).lines(isColored: false) {
            #expect(!line.contains("\u{1B}"))
        }
    }
}
