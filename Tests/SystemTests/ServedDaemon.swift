import Foundation
import Glibc
import LinuxIO
import NotificationModel
import TestSupport

/// One run of `appgroupd serve`.
final class ServedDaemon: Sendable {
    struct End: Sendable, Equatable {
        /// Of a process that was ended by a signal, the signal's number.
        let status: Int32
        let isBySignal: Bool
    }

    let log: ServedLog
    private let process: Process
    private let ends = ServedArrivals<End>()

    var pid: Int32 { process.processIdentifier }

    /// - Parameters:
    ///   - output: a file for the standard output.
    ///   - wrapper: a program and its arguments, which becomes the command line that it gets as further arguments.
    init(_ arguments: [String], on loop: EventLoop, output: String, through wrapper: [String] = []) throws {
        let (log, writer) = try ServedLog.open(on: loop)
        defer { close(writer) }
        self.log = log
        let line = wrapper + [BuiltProducts.appgroupd, "serve"] + arguments
        process = ParentBoundCommand(line[0], Array(line.dropFirst())).process()
        // Those of this process are settings of the tests.
        process.environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("APPGROUPD_") }
        process.standardInput = FileHandle.nullDevice
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

    /// As `kill -9`, and until it is gone.
    func kill() async throws {
        send(SIGKILL)
        try await end()
    }

    /// As the service manager does, and until it has ended.
    @discardableResult
    func terminate() async throws -> End {
        send(SIGTERM)
        return try await end()
    }

    @discardableResult
    func end() async throws -> End { try await ends.first { _ in true } }

    var hasEnded: Bool { !ends.elements.isEmpty }
}
