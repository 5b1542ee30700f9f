package import FoundationEssentials
import LinuxIO

extension WarmJournal {
    /// Removes journals that no run has written for a long time. The media of such a batch have changed or are gone
    /// meanwhile.
    ///
    /// - Parameter directory: The directory of journals. Only files whose names end in `.journal` are journals.
    /// - Parameter date: The time. Journals last written before it are removed, unless a run has locked them.
    /// - Parameter path: The journal of this run.
    package static func removeOld(in directory: String, before date: Date, except path: String) {
        for name in (try? FileSystem.names(in: directory)) ?? [] where name.hasSuffix(".journal") {
            let old = "\(directory)/\(name)"
            guard old != path, let status = try? FileSystem.look(at: old), status.kind == .regular,
                status.modificationDate < date
            else { continue }
            // The lock is held until the file is removed, so that no run can begin to use it.
            guard let file = try? AppendFile.open(old) else { continue }
            try? FileSystem.remove(old)
            _ = consume file
        }
    }
}
