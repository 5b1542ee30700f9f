import Base
import FoundationEssentials
import Lab
import LinuxIO
import NotificationModel
import NotificationProcessor

/// The reader of a scenario's file. It reports all mistakes of the file at once, each with its place.
package enum ScenarioReader {
    /// The keys of a scenario that go into the envelope of its payloads.
    private static let envelopeKeys = ["budget", "profile", "locale", "permissions"]
    /// The size of the largest payload file, in bytes.
    private static let largestPayload = 1 << 20

    /// Reads a file of at most 1 MiB.
    ///
    /// - Parameter variables: The values of `{{name}}` in the file.
    package static func scenario(
        in file: String, variables: [String: String] = [:]
    ) throws(ScenarioProblems) -> Scenario {
        let bytes: [UInt8]
        do throws(RegularFileError) {
            bytes = try FileSystem.contents(ofRegularFile: file, atMost: ScenarioText.limit)
        } catch {
            throw problem(file, "the file cannot be read: \(error)")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw problem(file, "the file is not text in UTF-8")
        }
        return try scenario(text, file: file, variables: variables)
    }

    private static func problem(_ file: String, _ text: String) -> ScenarioProblems {
        let mark = TextMark(line: 1, column: 1)
        return ScenarioProblems(all: [ScenarioProblem(file: file, mark: mark, text: text)], lines: [])
    }

    /// Reads the text of a file. Paths in it are relative to the file.
    package static func scenario(
        _ text: String, file: String, variables: [String: String] = [:]
    ) throws(ScenarioProblems) -> Scenario {
        let problems = ProblemList()
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            String(line.hasSuffix("\r") ? line.dropLast() : line)
        }
        var scenario = Scenario(file: file, name: file)
        if let root = ScenarioText.parse(text, variables: variables, problems: problems) {
            scenario = read(root, file: file, problems)
        }
        scenario.lines = lines
        guard problems.all.isEmpty else {
            let all = problems.all.map { ScenarioProblem(file: file, mark: $0.mark, text: $0.text) }
            throw ScenarioProblems(all: all.sorted { $0.mark < $1.mark }, lines: lines)
        }
        return scenario
    }

    private static func read(_ root: ScenarioNode, file: String, _ problems: ProblemList) -> Scenario {
        let folder = file.lastIndex(of: "/").map { String(file[...$0]) } ?? ""
        let resolve = { (path: String) in path.hasPrefix("/") ? path : folder + path }
        let fields = FieldReader(root, "a scenario", example: "payload: push.json", problems)
        var scenario = Scenario(file: file, name: fields.value("name", "a text") { $0 }?.value ?? file)
        scenario.source = fields.value("source", "a text") { $0 }?.value
        let network = fields.node("network").flatMap { NetworkReader(problems: problems).link($0) }
        scenario.link = network?.link
        if let hosts = fields.node("hosts") { scenario.hosts = NetworkReader(problems: problems).hosts(hosts) }
        if let origin = fields.node("origin") {
            scenario.origin = OriginReader(problems: problems, resolve: resolve).rules(origin)
        }
        if let settings = fields.node("configuration") {
            scenario.configuration = SettingsReader(problems: problems).configuration(settings)
        }
        scenario.phone = fields.node("nse").map(PhoneReader(problems: problems).model)
        scenario.now = fields.value("now", "a time, such as 2026-01-31T12:00:00Z (RFC 3339)", Timestamp.parse)?.value
        scenario.isReal = fields.truth("real")?.value ?? false
        scenario.seed = fields.value("seed", "a whole number, such as 7") { UInt64($0) }?.value
        var shared = envelope(fields, problems)
        if let kind = network?.kind { shared.append("network", .string(kind.rawValue)) }
        if scenario.phone?.system.family == .android, shared["profile"] == nil {
            shared.append("profile", .string("android"))
        }
        if let node = fields.node("envelope") { shared = shared.merging(object(node, "envelope", problems)) }
        let expectations = ExpectationReader(problems: problems)
        if let expect = fields.node("expect") { scenario.expectation = expectations.expectation(expect) }
        scenario.steps = steps(fields, shared, resolve, expectations)
        fields.finish()
        if scenario.expectation.isEmpty, scenario.steps.allSatisfy({ $0.expectation == nil }), problems.all.isEmpty {
            problems.add(root.mark, "nothing is expected: write expect, such as expect: {outcome: rich}")
        }
        return scenario
    }

    // MARK: Payloads and envelopes

    private static func steps(
        _ fields: FieldReader, _ shared: JSONObject, _ resolve: (String) -> String, _ expectations: ExpectationReader
    ) -> [Scenario.Step] {
        let problems = fields.problems
        if let list = fields.node("payloads") {
            guard case .list(let elements) = list.content, !elements.isEmpty else {
                problems.add(list.mark, "payloads is \(list.shown): write a list, such as [{payload: push.json}]")
                return []
            }
            if let single = fields.node("payload") {
                problems.add(single.mark, "payload and payloads are both here: write payload into the list")
            }
            return elements.compactMap { element in
                let step = FieldReader(element, "a payload", example: "{payload: push.json, after: 2s}", problems)
                var own = shared.merging(envelope(step, problems))
                if let node = step.node("envelope") { own = own.merging(object(node, "envelope", problems)) }
                let pause = step.duration("after")?.value ?? .zero
                let expectation = step.node("expect").map(expectations.expectation)
                let made = self.step(step, own, resolve, in: fields.node, pause: pause, expectation)
                step.finish()
                return made
            }
        }
        return [step(fields, shared, resolve, in: fields.node, pause: .zero, nil)].compactMap(\.self)
    }

    private static func step(
        _ fields: FieldReader, _ envelope: JSONObject, _ resolve: (String) -> String, in root: ScenarioNode,
        pause: Duration, _ expectation: Expectation?
    ) -> Scenario.Step? {
        guard let node = fields.node("payload") else {
            fields.problems.add(
                fields.node.mark,
                "\(fields.subject) needs payload: a file, such as payload: push.json, or the payload itself")
            return nil
        }
        guard let payload = payload(node, resolve, fields.problems) else { return nil }
        // A file may have a whole envelope. The keys of the scenario take precedence over it.
        let whole = (EnvelopeKeys.isEnvelope(payload) ? payload : ["payload": .object(payload)]).merging(envelope)
        let reader = EnvelopeReader(defaults: RequestDefaults(), dialects: .standard)
        let arrival = ClockReading(instant: .now, date: Date())
        if let error = reader.request(from: Submission(object: whole, arrival: arrival)).error {
            fields.problems.add(fields.mark(of: error.key) ?? root.mark(of: error.key), error.description)
            return nil
        }
        return Scenario.Step(envelope: whole, mark: node.mark, pause: pause, expectation: expectation)
    }

    private static func payload(
        _ node: ScenarioNode, _ resolve: (String) -> String, _ problems: ProblemList
    ) -> JSONObject? {
        switch node.content {
        case .map: return node.json.object
        case .text(let path, _):
            let text = path.hasPrefix("{") ? Array(path.utf8) : nil
            do {
                let bytes = try text ?? FileSystem.contents(ofRegularFile: resolve(path), atMost: largestPayload)
                if let object = try JSONParser.value(of: bytes).object { return object }
                problems.add(node.mark, "the payload is not a JSON object")
            } catch let error as RegularFileError {
                problems.add(
                    node.mark, "\(node.shown) cannot be read: \(error): paths are relative to the scenario's file")
            } catch {
                problems.add(node.mark, "the payload is not JSON: \(error)")
            }
        default: problems.add(node.mark, "payload is \(node.shown): write a file, or the payload itself")
        }
        return nil
    }

    /// Returns the keys of a scenario that go into the envelope.
    private static func envelope(_ fields: FieldReader, _ problems: ProblemList) -> JSONObject {
        var envelope = JSONObject()
        for key in envelopeKeys {
            guard let node = fields.node(key) else { continue }
            envelope.append(key, key == "permissions" ? .object(object(node, key, problems)) : node.json)
        }
        return envelope
    }

    private static func object(_ node: ScenarioNode, _ key: String, _ problems: ProblemList) -> JSONObject {
        if let object = node.json.object { return object }
        if !node.isNothing { problems.add(node.mark, "\(key) is \(node.shown): it must be a mapping") }
        return JSONObject()
    }
}
