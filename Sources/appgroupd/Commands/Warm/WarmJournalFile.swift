import CommandSupport
import FoundationEssentials
import LinuxIO
import NotificationModel
import Primitives
import Warming

/// The journal of a batch: its path, and the way in which it is opened.
struct WarmJournalFile {
    /// The name of the directory of journals in the root.
    static let directoryName = ".warm"
    /// The time for which a journal is kept after its last use, in seconds. A run can be continued within this time.
    private static let longestAge: TimeInterval = 30 * 86_400

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
        let began = history.began.map { " of \(EntryTime.text(of: $0))" } ?? ""
        let anew = use == .named ? "" : "; --no-resume starts from the beginning"
        return "this continues the run\(began), in which \(HumanText.counted(history.done.count, "item")) ended "
            + "(journal \(path))\(anew)"
    }

    func open() async throws(CommandFailure) -> (journal: WarmJournal, history: WarmHistory) {
        do throws(SystemError) {
            if let directory {
                try FileSystem.makeDirectories(directory)
                WarmJournal.removeOld(in: directory, before: Date().addingTimeInterval(-Self.longestAge), except: path)
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
