import Base
import FeatureKit
import Foundation
import LinuxIO
import Scenarios

/// The plays of a list of scenarios, in this process or in several.
struct ScenarioSession: Sendable {
    /// The options of the command that concern the plays.
    struct Options: Sendable {
        let command: String
        let jobs: Int
        let repetitions: Int
        let retries: Int
        let variables: [Assignment]
        let secrets: [Assignment]
    }

    let options: Options
    /// The seed of the first play. Each further play of a scenario has the next one.
    let seed: UInt64
    let redact: Redaction

    /// Plays all scenarios, and returns their reports in the order of the list.
    ///
    /// - Parameter report: A function that is called with each report, in the same order.
    /// - Throws: A failure with status 3 if the laboratory itself has failed.
    func play(_ scenarios: [Scenario], report: (ScenarioReport) -> Void) async throws -> [ScenarioReport] {
        if options.jobs > 1, scenarios.count > 1 { return try await playInProcesses(scenarios, report: report) }
        var reports: [ScenarioReport] = []
        for scenario in scenarios {
            for attempt in 1...options.repetitions {
                let made = try await play(scenario, attempt: attempt)
                report(made)
                reports.append(made)
            }
        }
        return reports
    }

    private func play(_ scenario: Scenario, attempt: Int) async throws -> ScenarioReport {
        var retries = 0
        while true {
            let runner = ScenarioRunner(seed: seed &+ UInt64(attempt - 1) &+ UInt64(retries) &* 1_000_003)
            do {
                var made = ScenarioReport(try await runner.run(scenario), attempt: attempt)
                made.retries = retries
                if made.hasPassed || retries >= options.retries { return made }
                retries += 1
            } catch {
                throw CommandFailure(.laboratoryFailed, redact("\(options.command): \(error)"))
            }
        }
    }

    // MARK: Several processes

    /// Plays the scenarios in several processes, because virtual time is the time of a whole process.
    private func playInProcesses(
        _ scenarios: [Scenario], report: (ScenarioReport) -> Void
    ) async throws -> [ScenarioReport] {
        let count = min(options.jobs, scenarios.count)
        let parts = (0..<count).map { part in
            scenarios.enumerated().filter { $0.offset % count == part }.map(\.element)
        }
        let results: [String: [ScenarioReport]] = try await withThrowingTaskGroup(of: [ScenarioReport].self) { group in
            for part in parts { group.addTask { try await playInProcess(part) } }
            return try await group.reduce(into: [:]) { all, reports in
                for report in reports { all[report.file, default: []].append(report) }
            }
        }
        let ordered = scenarios.flatMap { results[$0.file] ?? [] }
        for made in ordered { report(made) }
        return ordered
    }

    private func playInProcess(_ scenarios: [Scenario]) async throws -> [ScenarioReport] {
        let place = "\(FileManager.default.temporaryDirectory.path)/appgroupd-lab-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: place) }
        let process = Process()
        process.executableURL = URL(filePath: try FileSystem.currentExecutable())
        var arguments = ["lab", "run", "--json", "\(place)/report.json", "--seed", "\(seed)"]
        arguments += ["--repeat", "\(options.repetitions)", "--retry", "\(options.retries)"]
        for variable in options.variables { arguments += ["--variables", variable.text] }
        for secret in options.secrets { arguments += ["--secret", secret.text] }
        process.arguments = arguments + ["--"] + scenarios.map(\.file)
        _ = FileManager.default.createFile(atPath: "\(place)/errors", contents: nil)
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle(forWritingAtPath: "\(place)/errors")
        let ended = AsyncEvent()
        process.terminationHandler = { _ in ended.signal() }
        do { try process.run() } catch { throw CommandFailure(.laboratoryFailed, "\(options.command): \(error)") }
        await ended.wait()
        let lines = Dictionary(scenarios.map { ($0.file, $0.lines) }) { first, _ in first }
        guard let bytes = try? FileSystem.contents(of: "\(place)/report.json"),
            let reports = try? JSONParser.value(of: bytes).object?["scenarios"]?.array
        else {
            let errors = (try? String(contentsOfFile: "\(place)/errors", encoding: .utf8)) ?? ""
            throw CommandFailure(
                .laboratoryFailed,
                redact("\(options.command): a process ended without a report: \(errors.prefix(1_000))"))
        }
        return reports.compactMap { value in
            value.object?["file"]?.string.flatMap { ScenarioReport(value, lines: lines[$0] ?? []) }
        }
    }
}
