package import Base
import NotificationModel

/// The report of one run of a scenario, which all forms of output share. It can be written as JSON and read again, so
/// that other processes can run scenarios.
package struct ScenarioReport: Sendable {
    package var file: String
    package var name: String
    package var source: String?
    package var seed: UInt64
    /// The number of the attempt, from 1.
    package var attempt = 1
    /// The real time of the run, in milliseconds.
    package var milliseconds: Int
    package var checks: [Check]
    package var unlisted: [UnlistedRequest]
    package var unusedHosts: [String]
    /// The results of the payloads, as `appgroupd process` prints them.
    package var results: [JSONValue]
    /// The lines of the file.
    package var lines: [String]
    /// The judgements of the simulated phone, in lines for people; empty if none is simulated.
    package var phone: [String]
    /// The attempts before this one that have failed.
    package var retries = 0

    package var failures: [Check] { checks.filter { !$0.isMet } }
    package var hasPassed: Bool { failures.isEmpty }

    package init(_ run: ScenarioRun, attempt: Int = 1) {
        file = run.scenario.file
        name = run.scenario.name
        source = run.scenario.source
        seed = run.seed
        self.attempt = attempt
        milliseconds = Int(run.elapsed.milliseconds.rounded())
        checks = run.checks
        unlisted = run.unlisted
        unusedHosts = run.unusedHosts
        results = run.notifications.map(\.json)
        lines = run.scenario.lines
        phone = run.notifications.indices.flatMap { index in
            run.scenario.phone.map {
                PhoneJudgement($0, run.notifications, at: index, over: run.scenario.link).lines
            } ?? []
        }
    }
}

extension ScenarioReport {
    package var json: JSONValue {
        [
            "file": .string(file), "name": .string(name), "source": .text(source), "seed": .string(String(seed)),
            "attempt": .number(JSONNumber(attempt)), "failedAttempts": .number(JSONNumber(retries)),
            "passed": .bool(hasPassed), "elapsedMs": .number(JSONNumber(milliseconds)),
            "checks": .array(checks.map(\.json)), "unlisted": .array(unlisted.map(\.json)),
            "unusedHosts": .array(unusedHosts.map { .string($0) }),
            "phone": .array(phone.map { .string($0) }), "results": .array(results),
        ]
    }

    /// Reads a report that another process has written; `nil` if the value is no report.
    ///
    /// - Parameter lines: The lines of the scenario's file.
    package init?(_ value: JSONValue, lines: [String]) {
        guard let object = value.object, let file = object["file"]?.string, let name = object["name"]?.string,
            let seed = object["seed"]?.string.flatMap({ UInt64($0) }), let checks = object["checks"]?.array
        else { return nil }
        self.file = file
        self.name = name
        self.seed = seed
        source = object["source"]?.string
        attempt = object["attempt"]?.integer ?? 1
        retries = object["failedAttempts"]?.integer ?? 0
        milliseconds = object["elapsedMs"]?.integer ?? 0
        self.checks = checks.compactMap { Check($0) }
        unlisted = (object["unlisted"]?.array ?? []).compactMap { UnlistedRequest($0) }
        unusedHosts = (object["unusedHosts"]?.array ?? []).compactMap(\.string)
        results = object["results"]?.array ?? []
        phone = (object["phone"]?.array ?? []).compactMap(\.string)
        self.lines = lines
    }
}

extension Check {
    fileprivate var json: JSONValue {
        [
            "line": .number(JSONNumber(mark.line)), "column": .number(JSONNumber(mark.column)),
            "payload": step.map { .number(JSONNumber($0)) } ?? .null, "key": .string(key),
            "expected": .string(expected), "got": .string(got), "met": .bool(isMet), "advice": .text(advice),
        ]
    }

    fileprivate init?(_ value: JSONValue) {
        guard let object = value.object, let line = object["line"]?.integer, let column = object["column"]?.integer,
            let key = object["key"]?.string, let expected = object["expected"]?.string,
            let got = object["got"]?.string, let isMet = object["met"]?.bool
        else { return nil }
        self.init(
            mark: TextMark(line: line, column: column), step: object["payload"]?.integer, key: key, expected: expected,
            got: got, isMet: isMet, advice: object["advice"]?.string)
    }
}

extension UnlistedRequest {
    fileprivate var json: JSONValue {
        [
            "request": .string(request), "nearest": .text(nearest?.value),
            "line": nearest.map { .number(JSONNumber($0.mark.line)) } ?? .null,
            "column": nearest.map { .number(JSONNumber($0.mark.column)) } ?? .null,
        ]
    }

    fileprivate init?(_ value: JSONValue) {
        guard let object = value.object, let request = object["request"]?.string else { return nil }
        self.request = request
        guard let key = object["nearest"]?.string, let line = object["line"]?.integer,
            let column = object["column"]?.integer
        else { return }
        nearest = Placed(value: key, mark: TextMark(line: line, column: column))
    }
}
