import CommandSupport
import FoundationEssentials
import JSON
import LinuxIO
import Warming

/// The file to which `warm --report` writes the report of the batch.
struct WarmReportFile {
    let path: String

    /// Checks the path before the batch begins.
    ///
    /// - Throws: A failure with status 2 if the file would replace a source or the journal, or if its directory does
    ///   not exist.
    func check(sources: [String], journal: String) throws(CommandFailure) {
        let own = AbsolutePath.of(path)
        guard !sources.contains(where: { $0 != "-" && AbsolutePath.of($0) == own }) else {
            throw CommandFailure(.usage, "--report \(path): it is a source: name another file")
        }
        guard AbsolutePath.of(journal) != own else {
            throw CommandFailure(.usage, "--report \(path): it is the journal: name another file")
        }
        let directory = own.lastIndex(of: "/").map { String(own[...$0]) } ?? "/"
        guard FileSystem.isDirectory(directory) else {
            throw CommandFailure(.usage, "--report \(path): there is no directory \(directory): create it first")
        }
    }

    func write(_ report: WarmReport) throws(CommandFailure) {
        do throws(SystemError) {
            try FileSystem.write(JSONWriter.bytes(of: report.json, pretty: true) + [0x0A], toFile: path)
        } catch {
            throw CommandFailure(.failed, "\(path): the report cannot be written: \(error.reason)")
        }
    }
}

/// The canonical path of a file, so that two ways to write the same path are equal.
enum AbsolutePath {
    /// Returns the absolute path without a slash at its end and without symbolic links.
    static func of(_ path: String) -> String {
        let whole = URL(filePath: path).standardizedFileURL.resolvingSymlinksInPath().path(percentEncoded: false)
        return whole.count > 1 && whole.hasSuffix("/") ? String(whole.dropLast()) : whole
    }
}
