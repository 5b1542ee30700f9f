import AppGroupStore
import Base
import FeatureKit
import Features
import Glibc
import LinuxIO
import NotificationModel
import RequestJournal
import ServiceConfiguration

/// The checks of the root, which is the directory of the containers.
enum RootChecks {
    private static let minFreeBytes: UInt64 = 64 << 20
    private static let comfortableFreeBytes: UInt64 = 1 << 30
    private static let comfortableFreeFiles: UInt64 = 10_000

    /// The free bytes of the quota that the longest line of a batch needs.
    private static let minFreeForBatch = 4 << 20

    static func directory(_ root: String) -> Answer {
        let folder = RootFolder(path: root)
        if let problem = folder.problem { return .failed(problem.found, remedy: Answer.sentence(problem.remedy)) }
        guard let existing = folder.existing, existing != root else {
            return .ok("\(root) exists, and \(RootFolder.user) can write to it")
        }
        return .ok("\(root) does not exist yet; the daemon creates it in \(existing)")
    }

    static func ownerAndMode(_ root: String) -> Answer {
        guard let facts = try? FileSystemInfo.of(root) else { return .ok("the directory is created with mode 750") }
        let found = "owned by user \(facts.owner), mode \(String(facts.mode, radix: 8))"
        guard facts.mode & 0o007 == 0 else {
            return .warning("\(found): everybody on this machine can read it", remedy: "chmod o= \(root)")
        }
        let remedy = "Run as user \(facts.owner), the owner of the directory."
        return .ok(found, if: facts.owner == geteuid(), else: remedy)
    }

    static func fileSystem(_ root: String) -> Answer {
        look(at: root) { facts in
            let name = facts.fileSystem.name
            switch facts.fileSystem.home {
            case .local: return .ok(name)
            case .memory:
                return .warning(
                    "\(name): the files are lost at the next start of the machine", remedy: "Put the root on a disk.")
            case .container:
                return .warning("\(name): the files are lost with the container", remedy: "Mount a volume at the root.")
            case .elsewhere:
                return .warning(
                    "\(name): locks and syncing depend on another machine, and SQLite's WAL does not work between machines",
                    remedy: "Put the root on a disk of this machine.")
            }
        }
    }

    static func freeSpace(_ root: String) -> Answer {
        look(at: root) { facts in
            let files = facts.freeFiles.map { ", room for \($0) files" } ?? ""
            let found = "\(HumanText.bytes(Int(clamping: facts.freeBytes))) free\(files)"
            let remedy = "Free space on the file system of \(root), or put the root on a larger one."
            let hasFewFiles = facts.freeFiles.map { $0 < comfortableFreeFiles } ?? false
            if facts.freeBytes < minFreeBytes || facts.freeFiles == 0 { return .failed(found, remedy: remedy) }
            return .ok(found, if: facts.freeBytes >= comfortableFreeBytes && !hasFewFiles, else: remedy)
        }
    }

    static func daemon(_ root: String) -> Answer {
        do throws(SystemError) {
            guard let holder = try RequestJournal.holder(of: root) else {
                return .ok("no daemon serves this root")
            }
            return .ok("process \(holder.pid.map { "\($0)" } ?? "of unknown number") serves this root")
        } catch {
            let remedy = "Run as the user that runs the daemon."
            return .warning("it is unknown whether a daemon runs: \(error)", remedy: remedy)
        }
    }

    /// Checks the journal for damage. In a running daemon's journal, an unfinished write would look like damage.
    static func journal(_ root: String) -> Answer {
        if let holder = try? RequestJournal.holder(of: root) {
            return .ok("in use by process \(holder.pid.map { "\($0)" } ?? "of unknown number")")
        }
        guard let damage = JournalFile(root: root).damage() else { return .ok("no damage was found") }
        return .failed(damage.found, remedy: Answer.sentence(damage.remedy))
    }

    /// Reports the versions of the journal and the indexes. A daemon migrates older stores, and refuses newer ones.
    static func versions(_ root: String) -> Answer {
        let directory = "\(root)/\(RequestJournal.directoryName)"
        let isServed = (try? RequestJournal.holder(of: root)) != nil
        // Only a daemon may open the log of a journal that was not closed.
        guard isServed || FileSystem.size(of: directory + "/journal.sqlite-wal") ?? 0 == 0 else {
            return .ok("the journal was not closed: the next daemon reads its version")
        }
        let versions = StoreVersions(of: root, tables: Features.tables)
        let writer = versions.program.map { "; last written by appgroupd \($0)" } ?? ""
        guard let journal = versions.journal else { return .ok("there is no journal") }
        var found = "journal \(journal.stored)"
        if journal.stored != journal.own { found += " (this program: \(journal.own))" }
        found +=
            ", \(HumanText.counted(versions.indexes.count, "app group")) with indexes of version \(versions.ownIndex)"
        let other = versions.indexes.other
        if let first = other.first {
            found += " but for \(other.count), such as \(first.group) of version \(first.version)"
        }
        let isNewer = journal.stored > journal.own || other.contains { $0.version > versions.ownIndex }
        guard !isNewer else {
            return .failed(
                found + writer,
                remedy: "Start the newer version. Media of app groups with a newer index are storage-failed.")
        }
        return .ok(found + writer)
    }

    /// Checks whether stored batches fill their quota.
    static func batches(_ configuration: Configuration) -> Answer {
        let path = "\(configuration.root)/\(RequestJournal.directoryName)/batches"
        let bytes = ((try? FileSystem.names(in: path)) ?? []).flatMap { batch in
            ((try? FileSystem.names(in: "\(path)/\(batch)")) ?? []).map { "\(path)/\(batch)/\($0)" }
        }.reduce(0) { $0 + (FileSystem.size(of: $1) ?? 0) }
        let quota = configuration.batches.quota
        return .ok(
            "\(HumanText.bytes(bytes)) of \(HumanText.bytes(quota))", if: bytes + minFreeForBatch < quota,
            else: "Long batches are not stored, and running ones wait: remove ended batches, or raise batches.quota.")
    }

    // MARK: File system

    /// Calls a function with the facts about the root, or about the directory in which the root would be created.
    private static func look(at root: String, _ judge: (FileSystemInfo) -> Answer) -> Answer {
        do throws(SystemError) { return judge(try FileSystemInfo.of(RootFolder(path: root).existing ?? root)) } catch {
            return .failed("\(error)", remedy: "Name a directory with --root.")
        }
    }
}
