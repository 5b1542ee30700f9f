import Foundation
import Glibc
import LinuxIO
import NotificationModel
import TestSupport

/// A process of `appgroupd serve`.
final class ServedDaemon: Sendable {
    struct End: Sendable, Equatable {
        /// The exit status, or the number of the signal that has ended the process.
        let status: Int32
        let isBySignal: Bool
    }

    let log: ServedLog
    private let process: Process
    private let ends = ServedArrivals<End>()

    var pid: Int32 { process.processIdentifier }

    /// Starts a daemon whose standard error goes to `log`.
    ///
    /// - Parameter output: The file for standard output.
    /// - Parameter wrapper: A program with its arguments. The command line of the daemon is appended to them.
    /// - Parameter input: The standard input; `nil` for none.
    init(
        _ arguments: [String], on loop: EventLoop, output: String, through wrapper: [String] = [],
        input: FileHandle? = nil
    ) throws {
        let (log, writer) = try ServedLog.open(on: loop)
        defer { close(writer) }
        self.log = log
        let line = wrapper + [BuiltProducts.appgroupd, "serve"] + arguments
        process = ParentBoundCommand(line[0], Array(line.dropFirst())).process()
        // The variables of this process that begin with `APPGROUPD_` are settings of the tests.
        process.environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("APPGROUPD_") }
        process.standardInput = input ?? FileHandle.nullDevice
        process.standardOutput = FileHandle(forWritingAtPath: output)
        process.standardError = FileHandle(fileDescriptor: writer)
        process.terminationHandler = { [ends] process in
            ends.append(
                End(status: process.terminationStatus, isBySignal: process.terminationReason == .uncaughtSignal))
            ends.finish()
        }
        try process.run()
    }

    func send(_ signal: Int32) { Glibc.kill(pid, signal) }

    /// Sends SIGKILL, and waits for the end of the process.
    func kill() async throws {
        send(SIGKILL)
        try await end()
    }

    /// Sends SIGTERM, as a service manager does, and waits for the end of the process.
    @discardableResult
    func terminate() async throws -> End {
        send(SIGTERM)
        return try await end()
    }

    @discardableResult
    func end() async throws -> End { try await ends.first { _ in true } }

    var hasEnded: Bool { !ends.elements.isEmpty }
}
