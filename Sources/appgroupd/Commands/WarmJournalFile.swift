import FoundationEssentials
import LinuxIO
import NotificationModel
import Warming

/// Which journal a batch has, and how it is opened.
struct WarmJournalFile {
    /// The directory of journals below the root.
    static let directoryName = ".warm"
    /// Time after the last use of a journal for which a run may still be continued.
    private static let longestAge: TimeInterval = 30 * 86_400

    let path: String
    private let batch: WarmBatch
    private let use: WarmJournalUse
    private let directory: String?

    /// - Parameters:
    ///   - name: `--resume`; `nil`: the name follows from the batch.
    ///   - isAnew: `--no-resume`.
    init(batch: WarmBatch, root: String, named name: String?, isAnew: Bool) {
        self.batch = batch
        directory = name == nil ? "\(root)/\(Self.directoryName)" : nil
        path = name ?? "\(root)/\(Self.directoryName)/\(batch.key).journal"
        use = isAnew ? .anew : name == nil ? .automatic : .named
    }

    /// How to continue the batch, in a sentence.
    var continuation: String {
        switch use {
        case .automatic: "run the same command again to continue"
        case .anew: "run the same command without --no-resume to continue"
        case .named: "run the same command again, with --resume \(path), to continue"
        }
    }

    /// The sentence about an earlier run that is continued; `nil` if there is none.
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
                WarmJournal.removeOld(
                    in: directory, before: Date().addingTimeInterval(-Self.longestAge), except: path)
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

    /// Returns the items that earlier runs have done, without a change to the journal.
    func history() async throws(CommandFailure) -> WarmHistory {
        guard use != .anew, FileSystem.size(of: path) != nil else { return WarmHistory() }
        do throws(WarmJournalError) { return try WarmJournal.history(at: path, batch, use) } catch {
            throw failure(error)
        }
    }

    private func failure(_ error: WarmJournalError) -> CommandFailure {
        switch error {
        case .held:
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
