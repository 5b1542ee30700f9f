import Base
import Foundation
import NotificationModel
import TestSupport

/// A completed run of a built program.
struct ProgramRun: Sendable {
    let status: Int32
    /// The lines of standard output.
    let output: [String]
    /// The lines of standard error.
    let errors: [String]

    /// Runs `appgroupd` to its end. Its streams are files, so that the test never blocks on a pipe.
    static func appgroupd(_ arguments: String..., input: String = "") async throws -> ProgramRun {
        try await appgroupd(arguments, input: input)
    }

    /// Runs `appgroupd` to its end, through another program.
    ///
    /// - Parameter wrapper: A program with its arguments. The command line of `appgroupd` is appended to them.
    static func appgroupd(
        _ arguments: [String], input: String = "", through wrapper: [String] = []
    ) async throws -> ProgramRun {
        let directory = try TemporaryDirectory()
        let process = try start(arguments, input: input, in: directory, through: wrapper)
        await process.ending.wait()
        return ProgramRun(
            status: process.process.terminationStatus, output: try directory.lines("out"),
            errors: try directory.lines("err"))
    }

    /// Starts `appgroupd`, and returns while it runs.
    static func start(
        _ arguments: [String], input: String = "", in directory: TemporaryDirectory, through wrapper: [String] = []
    ) throws -> (process: Process, ending: Ending) {
        for name in ["out", "err"] { try Data().write(to: URL(filePath: "\(directory.path)/\(name)")) }
        try Data(input.utf8).write(to: URL(filePath: "\(directory.path)/in"))
        let line = wrapper + [BuiltProducts.appgroupd] + arguments
        let process = ParentBoundCommand(line[0], Array(line.dropFirst())).process()
        process.standardInput = FileHandle(forReadingAtPath: "\(directory.path)/in")
        process.standardOutput = FileHandle(forWritingAtPath: "\(directory.path)/out")
        process.standardError = FileHandle(forWritingAtPath: "\(directory.path)/err")
        let ending = Ending()
        process.terminationHandler = { _ in ending.finish() }
        try process.run()
        return (process, ending)
    }

    /// Returns a wrapper that sets the soft and the hard limit of open files.
    static func openFiles(_ count: Int) -> [String] {
        ["/bin/sh", "-c", #"ulimit -n "$0" && exec "$@""#, "\(count)"]
    }

    /// The results that were printed to standard output.
    var contents: [JSONValue] {
        get throws { try output.map { try JSONParser.value(of: $0) } }
    }
}

/// The end of a process as an event on which a test can wait.
final class Ending: Sendable {
    private let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() { (stream, continuation) = AsyncStream.makeStream() }

    func finish() { continuation.finish() }
    func wait() async { for await _ in stream {} }
}

extension TemporaryDirectory {
    func lines(_ name: String) throws -> [String] {
        try String(contentsOfFile: "\(path)/\(name)", encoding: .utf8).split(separator: "\n").map(String.init)
    }

    func write(_ text: String, as name: String) throws -> String {
        try Data(text.utf8).write(to: URL(filePath: "\(path)/\(name)"))
        return "\(path)/\(name)"
    }

    func makeFIFO(_ name: String) throws -> String {
        let fifo = "\(path)/\(name)"
        guard mkfifo(fifo, 0o600) == 0 else { throw CocoaError(.fileWriteUnknown) }
        return fifo
    }
}
