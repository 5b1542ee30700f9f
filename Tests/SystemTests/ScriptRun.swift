import Foundation
import TestSupport

/// A completed run of a script of the project.
struct ScriptRun {
    let status: Int32
    /// The text of standard error.
    let report: String

    /// Runs a script to its end.
    ///
    /// - Parameter name: The name of a file in `scripts/`.
    /// - Parameter environment: Variables that are added to the environment of the test.
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
