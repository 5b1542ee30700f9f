import Base
import Foundation
import TestSupport
import Testing

/// Tests of `lab run` as a program: real fetches and decodes, in virtual time.
@Suite(.timeLimit(.minutes(5))) struct LabRunTests {
    private let place: TemporaryDirectory
    private static let payload = """
        payload:
          aps: {alert: {title: Match day, body: Gates open.}, mutable-content: 1}
          p: 9A
          attachment: "https://media.example.net/gate.jpg?token={{token}}"

        """

    init() throws { place = try TemporaryDirectory() }

    private func write(_ text: String, _ name: String = "slow.yaml") throws -> String {
        try place.write(Self.payload.replacing("?token={{token}}", with: "") + text, as: name)
    }

    @Test func `all scenarios of the project pass`() async throws {
        let run = try await ProgramRun.appgroupd("lab", "run", "--jobs", "2", Fixtures.directory + "/scenarios")
        #expect(run.status == 0, "\((run.output.filter { !$0.hasPrefix("ok") } + run.errors).joined(separator: "\n"))")
        #expect(run.output.count >= 41)
    }

    @Test func `a stall of half an hour takes seconds`() async throws {
        let file = try write(
            "origin: {/gate.jpg: {stall: headers}}\nbudget: 30m\nexpect: {outcome: fallback, within: 30m}\n")
        let begin = ContinuousClock.now
        let run = try await ProgramRun.appgroupd("lab", "run", file)
        #expect(run.status == 0, "\(run.output) \(run.errors)")
        #expect(begin.duration(to: .now) < .seconds(20))
    }

    @Test func `a failure names its place, the difference and a remedy`() async throws {
        let file = try write("origin: {/gate.jpg: {delay: 30s}}\nbudget: 2s\nexpect: {outcome: rich}\n")
        let run = try await ProgramRun.appgroupd("lab", "run", "--seed", "7", file)
        #expect(run.status == 1)
        let expected = [
            "\(file):7:19 outcome: expected rich, got fallback (budget-exceeded: media-1 waited",
            "   7 | expect: {outcome: rich}", "     |                   ^~~~",
            "     = raise budget (it was 2.0 s), or make the origin faster",
            "     = seed 7: --seed 7 repeats all random choices",
        ]
        for line in expected { #expect(run.output.contains { $0.hasPrefix(line) }, "\(run.output)") }
    }

    @Test func `a request that is not listed is reported with the nearest path`() async throws {
        let file = try write("origin: {/gates.jpg: ok}\nexpect: {outcome: rich}\n")
        let run = try await ProgramRun.appgroupd("lab", "run", file)
        #expect(run.status == 1)
        let line =
            "     = media.example.net/gate.jpg is not listed, so it was answered 404: "
            + "the nearest path of origin is /gates.jpg, line 5"
        #expect(run.output.contains(line), "\(run.output)")
    }

    @Test func `a host that no request used is reported also if the scenario passes`() async throws {
        let file = try write(
            "origin: {/gate.jpg: ok}\nhosts: {media.example.net: {dnsDelay: 1s}, cdn.example.net: {dns: nxdomain}}\n"
                + "expect: {outcome: rich}\n")
        let run = try await ProgramRun.appgroupd("lab", "run", "--jobs", "2", file)
        #expect(run.status == 0)
        let remarks = run.output.filter { $0.contains("no request used") }
        #expect(remarks == ["     = no request used the host cdn.example.net of hosts"], "\(run.output)")
    }

    @Test func `mistakes in files end with status 2 before anything is played`() async throws {
        let good = try write("origin: {/gate.jpg: ok}\nexpect: {outcome: rich}\n", "a.yaml")
        let bad = try write("expct: {outcome: rich}\n", "b.yaml")
        let run = try await ProgramRun.appgroupd("lab", "run", good, bad)
        #expect(run.status == 2 && run.output.isEmpty)
        #expect(run.errors.first == "\(bad):5:1 \"expct\" is not a key of a scenario; did you mean expect?")
        let lint = try await ProgramRun.appgroupd("lab", "lint", good, bad)
        #expect(lint.status == 2 && lint.output.last == "2 scenarios: 1 mistake")
        let missing = try await ProgramRun.appgroupd("lab", "run", place.path + "/none.yaml")
        #expect(missing.status == 2 && missing.errors.count == 1)
        let folder = "\(place.path)/empty"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        let replay = try await ProgramRun.appgroupd("lab", "replay", folder)
        #expect(replay.status == 2 && replay.errors.first?.hasPrefix("appgroupd: lab replay: ") == true)
    }

    @Test func `reports have a case for each expectation and no secret`() async throws {
        let text = Self.payload + "origin: {/gate.jpg: {status: 404}}\nexpect: {outcome: rich, body: \"{{token}}\"}\n"
        let file = try place.write(text, as: "secret.yaml")
        let reports = ["junit.xml", "report.json", "report.html"].map { "\(place.path)/\($0)" }
        for _ in 1...2 {
            let run = try await ProgramRun.appgroupd(
                "lab", "run", "--secret", "token=s3cr&t", "--junit", reports[0], "--json", reports[1], "--html",
                reports[2], file)
            #expect(run.status == 1)
            #expect(!run.output.contains { $0.contains("s3cr") } && run.output.contains { $0.contains("***") })
        }
        let texts = try reports.map { try String(contentsOfFile: $0, encoding: .utf8) }
        #expect(texts.allSatisfy { !$0.contains("s3cr") && $0.contains("***") })
        #expect(texts[0].components(separatedBy: "<testcase ").count == 3)
        #expect(texts[0].contains("<testsuites name=\"appgroupd lab run\" tests=\"2\" failures=\"2\">"))
        #expect(texts[2].components(separatedBy: "<section>").count == 3)
        let json = try JSONParser.value(of: Array(texts[1].utf8))
        #expect(json.object?["passed"] == .bool(false))
    }

    @Test func `a list answers the first, the second and all further requests`() async throws {
        let file = try write(
            "origin: {/gate.jpg: [{status: 503}, {reset: {after: 10}}, ok]}\n"
                + "expect: {outcome: rich, hits: {/gate.jpg: 3}}\n")
        let run = try await ProgramRun.appgroupd("lab", "run", file)
        #expect(run.status == 0, "\(run.output) \(run.errors)")
    }

    @Test func `a new scenario for a payload passes`() async throws {
        let made = try await ProgramRun.appgroupd("lab", "new", Fixtures.directory + "/payloads/2mee-alert.json")
        #expect(made.status == 0, "\(made.errors)")
        let file = try place.write(made.output.joined(separator: "\n"), as: "new.yaml")
        let run = try await ProgramRun.appgroupd("lab", "run", "--repeat", "2", file)
        #expect(run.status == 0, "\(made.output) \(run.output)")
        #expect(run.output.count == 3)
    }

    @Test func `the pauses of earlier repetitions do not change the age of files`() async throws {
        // Eleven pauses of an hour would make a file fresh for an hour, by its age.
        let file = Fixtures.directory + "/scenarios/picture-replaced.yaml"
        let run = try await ProgramRun.appgroupd("lab", "run", "--repeat", "12", file)
        #expect(run.status == 0, "\(run.output)")
    }

    @Test func `the same seed repeats all random choices`() async throws {
        let file = try write(
            "origin: {/gate.jpg: {chance: 50, delay: {random: {1s: 1}}}}\nbudget: 5m\nexpect: {hits: {/gate.jpg: 1}}\n")
        var hits: [[String]] = []
        for seed in ["1", "1", "2"] {
            let run = try await ProgramRun.appgroupd("lab", "run", "--repeat", "4", "--seed", seed, file)
            hits.append(run.output.filter { $0.contains("hits") })
        }
        #expect(hits[0] == hits[1])
    }
}
