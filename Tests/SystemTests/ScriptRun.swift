import Foundation
import TestSupport

/// One run of a script of the project, to its end.
struct ScriptRun {
    let status: Int32
    /// The text on standard error.
    let report: String

    /// - Parameters:
    ///   - name: a file in `scripts/`.
    ///   - environment: variables that are added to those of the test.
    init(_ name: String, _ arguments: [String], environment: [String: String] = [:]) throws {
        let process = Process()
        let report = Pipe()
        process.executableURL = URL(filePath: "\(Fixtures.project)/scripts/\(name)")
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardError = report
        try process.run()
        let bytes = try report.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        status = process.terminationStatus
        self.report = String(decoding: bytes, as: UTF8.self)
    }
}
