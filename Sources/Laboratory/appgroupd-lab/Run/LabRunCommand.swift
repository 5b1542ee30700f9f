import Base
import FeatureKit
import Foundation
import LinuxIO
import Scenarios

extension LabRunCommand: PerformableCommand {
    func perform() async throws { try await ScenarioPlay(command: "lab run", files: files, options: options).perform() }
}

/// A play of scenarios with the options of a command.
struct ScenarioPlay {
    /// The name of the command, for messages.
    let command: String
    let files: [String]
    let options: ScenarioPlayOptions

    func perform() async throws {
        guard options.watch else {
            let result = try await play()
            guard result == .done else { throw CommandFailure(result) }
            return
        }
        while true {
            let before = WatchedFiles(files)
            do { _ = try await play() } catch let failure as CommandFailure {
                if let message = failure.message { StandardStreams.warn(message) }
            }
            StandardStreams.output("\nwaiting for a change of a file; end it with ^C")
            await before.waitForChange()
        }
    }

    /// Plays all scenarios once, and writes the reports.
    private func play() async throws -> ExitStatus {
        let redact = Redaction(options.secrets.map(\.value))
        let text = TextReport(width: StandardStreams.terminalColumns, isColored: StandardStreams.isColored)
        let print = { (lines: [String]) in
            guard options.json != "-" else { return }
            for line in lines { StandardStreams.output(redact(line)) }
        }
        let scenarios = try self.scenarios { problem, lines in
            for line in text.lines(of: problem, in: lines) { StandardStreams.error(redact(line)) }
        }
        let seed = options.seed ?? UInt64.random(in: 0...999_999_999)
        guard !options.findBudget else {
            for scenario in scenarios {
                StandardStreams.output(redact(try await budget(of: scenario, seed: seed)))
            }
            return .done
        }
        let begin = ScenarioRunner.realNow
        let plays = ScenarioSession.Options(
            command: command, jobs: options.jobs, repetitions: options.repeat, retries: options.retry,
            variables: options.variables, secrets: options.secrets)
        let session = ScenarioSession(options: plays, seed: seed, redact: redact)
        let reports = try await session.play(scenarios) { print(text.lines(of: $0)) }
        print([text.summary(of: reports, elapsed: begin.duration(to: ScenarioRunner.realNow))])
        try write(reports, redact)
        return reports.allSatisfy(\.hasPassed) ? .done : .failed
    }

    /// Returns a line with the smallest budget of a scenario.
    private func budget(of scenario: Scenario, seed: UInt64) async throws -> String {
        do {
            switch try await BudgetSearch(seed: seed).smallest(for: scenario) {
            case .found(let budget, let rich):
                return
                    "\(scenario.name): a budget of \(budget.seconds) s, with which \(rich) of 100 plays are rich (seed \(seed))"
            case .notEnough(let rich):
                return "\(scenario.name): no budget up to 60 s is enough: \(rich) of 100 plays are rich (seed \(seed))"
            }
        } catch {
            throw CommandFailure(.laboratoryFailed, "\(command): \(error)")
        }
    }

    /// Reads all scenarios, or throws a failure with status 2 after all mistakes are reported.
    private func scenarios(report: (ScenarioProblem, [String]) -> Void) throws -> [Scenario] {
        let paths: [String]
        do { paths = try ScenarioFiles.all(files) } catch { throw CommandFailure(.usage, "\(command): \(error)") }
        let values = Dictionary((options.variables + options.secrets).map { ($0.name, $0.value) }) { _, last in last }
        var scenarios: [Scenario] = []
        var hasProblem = false
        for path in paths {
            do {
                scenarios.append(try ScenarioReader.scenario(in: path, variables: values))
            } catch {
                hasProblem = true
                for problem in error.all { report(problem, error.lines) }
            }
        }
        guard !hasProblem else { throw CommandFailure(.usage) }
        guard let filter = options.filter else { return scenarios }
        let chosen = scenarios.filter {
            $0.name.localizedCaseInsensitiveContains(filter) || $0.file.localizedCaseInsensitiveContains(filter)
        }
        guard !chosen.isEmpty else {
            throw CommandFailure(.usage, "\(command): no scenario has \"\(filter)\" in its name or path")
        }
        return chosen
    }

    private func write(_ reports: [ScenarioReport], _ redact: Redaction) throws {
        if let junit = options.junit { try Self.write(redact(JUnitReport.text(reports)), to: junit) }
        if let json = options.json {
            let document: JSONValue = [
                "schemaVersion": 1, "passed": .bool(reports.allSatisfy(\.hasPassed)),
                "scenarios": .array(reports.map(\.json)),
            ]
            let text = redact(JSONWriter.text(of: document, pretty: true))
            if json == "-" { StandardStreams.output(text) } else { try Self.write(text + "\n", to: json) }
        }
        if let html = options.html {
            let page = (try? FileSystem.contents(of: html)).map { String(decoding: $0, as: UTF8.self) }
            let title = "Run of \(Date().formatted(.iso8601))"
            try Self.write(redact(HTMLReport.page(reports, title: title, after: page)), to: html)
        }
    }

    private static func write(_ text: String, to path: String) throws {
        do throws(SystemError) { try FileSystem.replace(path, with: Array(text.utf8)) } catch {
            throw CommandFailure(.usage, "\(path) cannot be written: \(error.reason)")
        }
    }
}

extension LabLintCommand: PerformableCommand {
    func perform() async throws {
        let paths: [String]
        do { paths = try ScenarioFiles.all(files) } catch { throw CommandFailure(.usage, "lab lint: \(error)") }
        let text = TextReport(width: StandardStreams.terminalColumns, isColored: StandardStreams.isColored)
        var mistakes = 0
        for path in paths {
            do { _ = try ScenarioReader.scenario(in: path) } catch {
                // The values of variables are known only to `lab run`.
                for problem in error.all where !problem.text.hasPrefix("{{") {
                    mistakes += 1
                    for line in text.lines(of: problem, in: error.lines) { StandardStreams.output(line) }
                }
            }
        }
        StandardStreams.output(
            "\(paths.count) scenario\(paths.count == 1 ? "" : "s"): \(mistakes == 0 ? "no" : "\(mistakes)") mistake\(mistakes == 1 ? "" : "s")"
        )
        guard mistakes == 0 else { throw CommandFailure(.usage) }
    }
}

/// The dates of the files that a command names.
private struct WatchedFiles {
    private static let pause: Duration = .milliseconds(300)
    private let paths: [String]
    private let dates: [String: Date]

    init(_ paths: [String]) {
        self.paths = paths
        dates = Self.dates(of: paths)
    }

    func waitForChange() async {
        while Self.dates(of: paths) == dates { try? await Task.sleep(for: Self.pause) }
    }

    /// Returns the dates of all scenarios, and of all files in the directories that are named.
    private static func dates(of paths: [String]) -> [String: Date] {
        var files = (try? ScenarioFiles.all(paths)) ?? []
        for path in paths where FileSystem.isDirectory(path) {
            files += ((try? FileSystem.names(in: path)) ?? []).map { "\(path)/\($0)" }
        }
        return Dictionary(
            files.compactMap { file in
                let attributes = try? FileManager.default.attributesOfItem(atPath: file)
                return (attributes?[.modificationDate] as? Date).map { (file, $0) }
            }
        ) { first, _ in first }
    }
}
