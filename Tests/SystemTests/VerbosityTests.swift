import ArgumentParser
import Lab
import TestSupport
import Testing

@testable import appgroupd

/// Tests of `-q` and `-v`, which change the number of messages on standard error, and never the results on standard
/// output.
@Suite struct VerbosityTests {
    private static let payload = #"{"aps": {"alert": "hi"}}"#

    private static func process(_ flags: String...) async throws -> ProgramRun {
        let root = try TemporaryDirectory()
        return try await ProgramRun.appgroupd(["process", "--root", root.path, "-"] + flags, input: payload)
    }

    @Test func `a verbose command reports changed settings and completed items`() async throws {
        let run = try await Self.process("-v", "--budget", "7s")
        #expect(run.status == 0 && run.output.count == 1)
        #expect(run.errors.contains("appgroupd: budget: 7s (flag --budget)"), "\(run.errors)")
        #expect(run.errors.last?.hasPrefix("appgroupd: -:1: passthrough, ") == true, "\(run.errors)")
        let ordinary = try await Self.process()
        #expect(ordinary.errors.isEmpty)
    }

    @Test func `a quiet command still reports problems`() async throws {
        let run = try await Self.process("-q", "--require", "rich")
        #expect(run.status == 3)
        #expect(run.errors.count == 1)
    }

    @Test func `a quiet batch prints only failures, and a verbose batch prints each item`() async throws {
        try await MisbehavingOrigin.withOrigin(serving: Fixtures.media) { origin in
            let urls = ["photo-small.jpg", "gone.jpg"].map { "http://127.0.0.1:\(origin.port)/\($0)" }
            func warm(_ flags: String...) async throws -> [String] {
                let root = try TemporaryDirectory()
                let run = try await ProgramRun.appgroupd(
                    ["warm", "--root", root.path, "--allow-address", "127.0.0.0/8", "--tolerate", "1", "-"] + flags,
                    input: urls.joined(separator: "\n"))
                #expect(run.status == 0, "\(run.errors)")
                return run.errors
            }
            let (quiet, verbose) = (try await warm("-q"), try await warm("-v"))
            #expect(quiet.map { $0.contains("gone.jpg: http-status") } == [true], "\(quiet)")
            #expect(verbose.contains { $0.hasPrefix("appgroupd: \(urls[0]): warm, ") }, "\(verbose)")
        }
    }

    @Test(arguments: [(["-v"], "debug"), (["-q"], "warning"), (["-q", "--log-level", "error"], "error"), ([], "info")])
    func `-v and -q set the log level of the daemon unless --log-level sets it`(_ flags: [String], _ level: String)
        async throws
    {
        let run = try await ProgramRun.appgroupd(["config"] + flags)
        let row = run.output.first { $0.hasPrefix("log.level ") }
        #expect(row?.hasSuffix(" \(level)") == true, "\(row ?? "")")
    }

    @Test func `a combination of -q and -v is wrong usage`() async throws {
        #expect(try await Self.process("-q", "-v").status == 2)
    }
}
