import Base
import FeatureKit
import FoundationEssentials
import LinuxIO
import NotificationModel

/// The journal of a batch: its path, and the way in which it is opened.
struct WarmJournalFile {
    /// The name of the directory of journals in the root.
    static let directoryName = ".warm"
    /// The time for which a journal is kept after its last use, in seconds. A run can be continued within this time.
    private static let maxAge: TimeInterval = 30 * 86_400

    let path: String
    private let batch: WarmBatch
    private let use: WarmJournalUse
    private let directory: String?

    /// - Parameter name: The value of `--resume`; `nil` if the name is derived from the batch.
    /// - Parameter isAnew: The value of `--no-resume`.
    init(batch: WarmBatch, root: String, named name: String?, isAnew: Bool) {
        self.batch = batch
        directory = name == nil ? "\(root)/\(Self.directoryName)" : nil
        path = name ?? "\(root)/\(Self.directoryName)/\(batch.key).journal"
        use = isAnew ? .anew : name == nil ? .automatic : .named
    }

    /// A sentence for people about the way to continue the batch.
    var continuation: String {
        switch use {
        case .automatic: "run the same command again to continue"
        case .anew: "run the same command without --no-resume to continue"
        case .named: "run the same command again, with --resume \(path), to continue"
        }
    }

    /// Returns a sentence about an earlier run that is continued; `nil` if there is no earlier run.
    func notice(of history: WarmHistory) -> String? {
        guard !history.done.isEmpty else { return nil }
        let began = history.began.map { " of \($0.formatted(Date.ISO8601FormatStyle()))" } ?? ""
        let anew = use == .named ? "" : "; --no-resume starts from the beginning"
        return "this continues the run\(began), in which \(HumanText.counted(history.done.count, "item")) ended "
            + "(journal \(path))\(anew)"
    }

    func open() async throws(CommandFailure) -> (journal: WarmJournal, history: WarmHistory) {
        do throws(SystemError) {
            if let directory {
                try FileSystem.makeDirectories(directory)
                WarmJournal.removeOld(in: directory, before: Date().addingTimeInterval(-Self.maxAge), except: path)
            }
        } catch {
            throw CommandFailure(.usage, "\(path): \(error.reason): name another journal with --resume")
        }
        do throws(WarmJournalError) {
            let journal = try WarmJournal(path)
            do throws(WarmJournalError) { return (journal, try await journal.begin(batch, use, at: Date())) } catch {
                journal.shutdown()
                throw error
            }
        } catch {
            throw failure(error)
        }
    }

    /// Returns the items that earlier runs have completed. The journal is not changed.
    func history() async throws(CommandFailure) -> WarmHistory {
        guard use != .anew, FileSystem.size(of: path) != nil else { return WarmHistory() }
        do throws(WarmJournalError) { return try WarmJournal.history(at: path, batch, use) } catch {
            throw failure(error)
        }
    }

    private func failure(_ error: WarmJournalError) -> CommandFailure {
        switch error {
        case .locked:
            CommandFailure(
                .failed,
                "\(path): another run uses this journal: wait for its end, or name another journal with --resume")
        case .foreign:
            CommandFailure(
                .usage,
                "\(path): this journal belongs to other sources, options, or another root or daemon: name another file "
                    + "with --resume")
        case .failed(let problem): CommandFailure(.failed, problem)
        }
    }
}

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
