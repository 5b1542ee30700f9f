package import Base
import FeatureKit
import FoundationEssentials
import Lab
import LinuxIO
import MediaFetcher
import NotificationModel
import NotificationProcessor
import ServiceConfiguration

/// The runner of scenarios. Each run has a container, a worker pool, an origin and names of its own. The stages are those
/// of the daemon: only the network's ends differ.
///
/// To add a new key of scenarios, do this: read it in ``ScenarioReader`` or in the reader of its mapping, keep its
/// value in ``Scenario``, and use it in ``ScenarioBench`` for the run or in `Comparison` for an expectation.
/// `ScenarioKeyTests` fails until `docs/schema/scenario.schema.json` has the key. Then describe the key in
/// `docs/use/testing.md`.
package struct ScenarioRunner: Sendable {
    /// The seed of the scenarios that name none.
    private let seed: UInt64

    package init(seed: UInt64) { self.seed = seed }

    /// The present instant of real time, with which runs are measured.
    package static var realNow: MonotonicInstant { VirtualTime.realNow }

    /// Runs a scenario, and checks its expectations.
    package func run(_ scenario: Scenario) async throws(LaboratoryFailure) -> ScenarioRun {
        let place = "\(FileManager.default.temporaryDirectory.path)/appgroupd-lab-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: place) }
        let begin = Self.realNow
        var run = ScenarioRun(scenario: scenario, seed: scenario.seed ?? seed)
        do {
            let bench = try await ScenarioBench(scenario, seed: run.seed, in: place)
            run.isReal = scenario.isReal || !VirtualTime.isSupported
            let time = run.isReal ? nil : VirtualTime.start()
            do {
                run.notifications = try await bench.play()
            } catch {
                await time?.stop()
                await bench.shutdown()
                throw error
            }
            await time?.stop()
            let facts = bench.facts
            await bench.shutdown()
            run.unlisted = facts.unlisted
            run.unusedHosts = facts.unusedHosts
            run.requests = facts.routes.requests
            run.checks = Judge(scenario: scenario, facts: facts).checks(of: run.notifications)
        } catch let failure as CommandFailure {
            throw LaboratoryFailure("\(scenario.file): \(failure.message ?? "the pipeline cannot be started")")
        } catch {
            throw LaboratoryFailure("\(scenario.file): \(error)")
        }
        run.elapsed = begin.duration(to: Self.realNow)
        return run
    }
}

/// The origin, the names and the pipeline of one run.
struct ScenarioBench {
    private let scenario: Scenario
    private let clock: ScenarioClock
    private let routes: ScenarioRoutes
    private let names: LaboratoryNames
    private let origin: MisbehavingOrigin
    private let ports: [String: DeadPort]
    private let runtime: Runtime
    private let rules: GroupRules

    init(_ scenario: Scenario, seed: UInt64, in place: String) async throws {
        self.scenario = scenario
        clock = try ScenarioClock(date: scenario.now)
        routes = ScenarioRoutes(try Self.stage(scenario.origin, in: "\(place)/origin"))
        try Self.date(filesIn: "\(place)/origin/\(ScenarioRoutes.files)", at: clock.date)
        names = LaboratoryNames(scenario.hosts, clock: clock)
        let faults = scenario.hosts.compactMap { rule in rule.certificate.map { (rule.host, $0) } }
        let authority = try CertificateAuthority(faults: Dictionary(faults) { first, _ in first })
        let caFile = "\(place)/authority.pem"
        try FileSystem.replace(caFile, with: Array(authority.certificate.utf8))
        var circumstances = OriginCircumstances()
        circumstances.routes = routes
        circumstances.link = scenario.link
        circumstances.authority = authority
        circumstances.timers = .clock(clock)
        circumstances.seed = seed
        origin = try await MisbehavingOrigin.start(serving: "\(place)/origin", circumstances: circumstances)
        let dead = try scenario.hosts.compactMap { rule in
            try rule.connection.map { (rule.host, try DeadPort($0)) }
        }
        ports = Dictionary(dead) { first, _ in first }
        var configuration = scenario.configuration ?? .ofThisMachine
        configuration.root = "\(place)/root"
        configuration.workers = min(2, configuration.workers)
        configuration.fetch.caFile = caFile
        let network = LaboratoryNetwork(
            resolver: names,
            hostStub: HostStub { [names, ports, port = UInt16(clamping: origin.port)] host in
                names.noteUse(of: host)
                return ports[host]?.port ?? port
            })
        rules = GroupRules(configuration)
        do {
            runtime = try Runtime(configuration, clock: clock, laboratory: network)
        } catch {
            await origin.stop()
            clock.shutdown()
            throw error
        }
    }

    /// Copies the files of all rules into the directory of the origin, and returns the rules with their names there.
    private static func stage(
        _ rules: [OriginRule], in directory: String
    ) throws -> [(rule: OriginRule, files: [String?])] {
        try FileSystem.makeDirectories("\(directory)/\(ScenarioRoutes.files)")
        for suffix in SampleMedia.extensions {
            let sample = SampleMedia.sample(for: "a.\(suffix)")
            try FileSystem.replace("\(directory)/\(ScenarioRoutes.sample(suffix))", with: sample.bytes)
        }
        return try rules.enumerated().map { index, rule in
            var rule = rule
            let files = try rule.answers.indices.map { number -> String? in
                let name = "\(index + 1)-\(number + 1)"
                for (place, fault) in rule.answers[number].faults.enumerated() {
                    guard case .changed(let change) = fault, let file = change.replacement else { continue }
                    let replacement = try stagedFile(file, as: "\(name)-\(place + 1)", to: directory)
                    rule.answers[number].faults[place] = .changed(
                        FileChange(after: change.requests, to: replacement))
                }
                return try rule.answers[number].file.map { try stagedFile($0, as: name, to: directory) }
            }
            return (rule, files)
        }
    }

    /// Copies a file into the directory of the origin, and returns its name there, which has the extension of the file.
    private static func stagedFile(_ file: String, as name: String, to directory: String) throws -> String {
        let bytes = try FileSystem.contents(of: file)
        let suffix = file.split(separator: "/").last?.split(separator: ".").dropFirst().last.map(String.init) ?? "bin"
        let name = "\(ScenarioRoutes.files)/\(name).\(suffix)"
        try FileSystem.replace("\(directory)/\(name)", with: bytes)
        return name
    }

    /// Dates the files of the origin by the clock of the scenario. The clock of the file system does not follow virtual
    /// time, and the freshness of a response depends on the age of its file.
    private static func date(filesIn directory: String, at date: Date) throws {
        for name in try FileSystem.names(in: directory) {
            try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: "\(directory)/\(name)")
        }
    }

    /// Processes the payloads one after the other, and returns their results.
    func play() async throws -> [ProcessedNotification] {
        var notifications: [ProcessedNotification] = []
        for step in scenario.steps {
            if step.pause > .zero { await clock.sleep(until: clock.now + step.pause) }
            let submission = Submission(object: step.envelope, arrival: clock.reading)
            let (request, error) = rules.rules(for: submission).envelopeReader.request(from: submission)
            if let error {
                notifications.append(runtime.pipeline.reject(request, because: error.description))
                continue
            }
            var emitted: ProcessedNotification?
            try await runtime.pipeline.process(request) { emitted = $0 }
            guard let emitted else { throw LaboratoryFailure("a payload has no result") }
            notifications.append(emitted)
        }
        return notifications
    }

    /// The facts for the expectations. The memory of the workers can be read only while they run.
    var facts: ScenarioFacts {
        ScenarioFacts(
            routes: routes, unlisted: routes.unlisted, unusedHosts: names.unusedHosts,
            workerMemory: ChildMemory.largest)
    }

    func shutdown() async {
        await runtime.shutdown()
        await origin.stop()
        clock.shutdown()
    }
}

/// The facts of a run, in addition to its results.
struct ScenarioFacts {
    let routes: ScenarioRoutes
    let unlisted: [UnlistedRequest]
    /// The hosts of `hosts` that no request has used.
    let unusedHosts: [String]
    /// The largest memory of a worker, in bytes; `nil` if no worker runs.
    let workerMemory: Int?
}
