import Base
import Foundation
import HTTPAPI
import LinuxIO
import TestSupport

@testable import appgroupd

/// The folder in which a daemon records failed requests.
struct ServedRecordings {
    let path: String

    init(of root: ServedRoot) { path = URL(filePath: root.path).deletingLastPathComponent().path + "/recordings" }

    /// The names of the recordings.
    var names: [String] { ((try? FileSystem.names(in: path)) ?? []).filter { $0.hasSuffix(".yaml") }.sorted() }
    /// The names of the files that recordings share.
    var files: [String] { ((try? FileSystem.names(in: path + "/files")) ?? []).sorted() }

    /// The texts of all files, one after the other.
    var text: String {
        get throws {
            let paths = names.map { "\(path)/\($0)" } + files.map { "\(path)/files/\($0)" }
            return try paths.map { String(decoding: try FileSystem.contents(of: $0), as: UTF8.self) }.joined()
        }
    }

    /// Waits until the daemon has recorded this number of requests.
    func wait(forCount count: Int) async throws {
        try await TestSupport.wait(for: "\(count) recordings") { names.count >= count }
    }

    /// Returns the run of `lab replay` for all recordings.
    func replay(_ arguments: String...) async throws -> ProgramRun {
        try await ProgramRun.appgroupd(["lab", "replay"] + arguments + [path])
    }
}
