import ArgumentParser
import Foundation
import TestSupport
import Testing

@testable import appgroupd

/// Tests of the examples in `--help`, in the form in which users copy them from a terminal of 80 columns.
@Suite struct HelpExampleTests {
    /// The words after `appgroupd` of each command that has a help page.
    private static let commands: [[String]] = {
        func paths(_ command: any ParsableCommand.Type, _ path: [String]) -> [[String]] {
            [path]
                + command.configuration.subcommands.flatMap {
                    paths($0, path + [$0.configuration.commandName ?? ""])
                }
        }
        return paths(Appgroupd.self, [])
    }()

    private static func help(_ command: [String]) async throws -> [String] {
        let directory = try TemporaryDirectory()
        let run = try ProgramRun.start(command + ["--help"], in: directory)
        await run.ending.wait()
        return try String(contentsOfFile: "\(directory.path)/out", encoding: .utf8).components(separatedBy: "\n")
    }

    /// Returns the lines below "Examples:", up to the next empty line.
    private static func examples(_ help: [String]) -> [String] {
        guard let head = help.firstIndex(where: { $0 == "Examples:" || $0 == "Example:" }) else { return [] }
        return Array(help[(head + 1)...].prefix { !$0.isEmpty })
    }

    /// Runs the lines in a shell in which `appgroupd` only writes its arguments to a file. Each line runs in the
    /// foreground.
    ///
    /// - Returns: The arguments of each call.
    private static func calls(_ lines: [String]) throws -> [[String]] {
        let directory = try TemporaryDirectory()
        let script = """
            appgroupd() { printf '%s\\n' "$@" END >> '\(directory.path)/calls'; }
            ssh() { shift; "$@"; }
            \(lines.map { $0.hasSuffix(" &") ? String($0.dropLast(2)) : $0 }.joined(separator: "\n"))
            """
        let shell = Process()
        shell.executableURL = URL(filePath: "/bin/sh")
        shell.arguments = ["-c", script]
        shell.environment = ["PATH": "/nonexistent"]
        shell.currentDirectoryURL = URL(filePath: directory.path)
        shell.standardError = FileHandle.nullDevice
        try shell.run()
        shell.waitUntilExit()
        return try directory.lines("calls").split(separator: "END", omittingEmptySubsequences: false).dropLast()
            .map(Array.init)
    }

    @Test(arguments: commands) func `an example fits into 80 columns and is a valid command`(
        command: [String]
    ) async throws {
        let examples = Self.examples(try await Self.help(command))
        for line in examples {
            #expect(line.count < 80 && line.hasPrefix("  "), "\(line)")
        }
        let written = examples.joined(separator: "\n").components(separatedBy: "appgroupd ").count - 1
        let calls = examples.isEmpty ? [] : try Self.calls(examples)
        #expect(calls.count == written, "\(calls)")
        for call in calls {
            #expect(throws: Never.self, "appgroupd \(call)") { try Appgroupd.parseAsRoot(call) }
        }
    }

    @Test func `the help of each command has examples, except for a short list of commands`() async throws {
        var without: [String] = []
        for command in Self.commands where Self.examples(try await Self.help(command)).isEmpty {
            without.append(command.joined(separator: " "))
        }
        let benches = ["late", "cancel", "text", "dialects"].map { "lab bench \($0)" }
        #expect(without == ["", "cache unpin", "lab", "lab demo"] + benches)
    }

    @Test func `the commands have the order of the list in the help`() {
        #expect(Appgroupd.commandNames.filter(Appgroupd.order.contains) == Appgroupd.order)
    }
}
