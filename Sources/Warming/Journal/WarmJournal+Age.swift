package import FoundationEssentials
import LinuxIO

extension WarmJournal {
    /// Removes journals that no run has written for long: the media of these batches have changed or are gone
    /// meanwhile.
    ///
    /// - Parameters:
    ///   - directory: the directory of journals, which has journals only under names that end in `.journal`.
    ///   - date: journals that were written before are removed, unless a run has them locked.
    ///   - path: the journal of this run.
    package static func removeOld(in directory: String, before date: Date, except path: String) {
        for name in (try? FileSystem.names(in: directory)) ?? [] where name.hasSuffix(".journal") {
            let old = "\(directory)/\(name)"
            guard old != path, let status = try? FileSystem.look(at: old), status.kind == .regular,
                status.modificationDate < date
            else { continue }
            // The lock is held until the file is removed, so that no run begins with it.
            guard let file = try? AppendFile.open(old) else { continue }
            try? FileSystem.remove(old)
            _ = consume file
        }
    }
}
