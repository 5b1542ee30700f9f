import Base
import FoundationEssentials
import LinuxIO
import NotificationModel

/// The results at `GROUP/outbox/ID.json`, and in the directory where they wait for the journal. All calls block.
struct Outbox: Sendable {
    let root: String

    func path(of key: RequestKey) -> String { "\(root)/\(key.group)/outbox/\(key.id).json" }
    private func stagedDirectory(of group: AppGroupName) -> String { "\(root)/\(group)/.staged" }
    private func stagedPath(of key: RequestKey) -> String { "\(stagedDirectory(of: key.group))/\(key.id).json" }

    func holds(_ key: RequestKey) -> Bool { FileSystem.size(of: path(of: key)) != nil }

    /// Writes the file under a name that readers ignore. It need not be durable, as the journal also has its bytes.
    func stage(_ content: EmittedContent) throws(SystemError) {
        let group = content.key.group
        do throws(SystemError) {
            try FileSystem.write(content.json + [UInt8(ascii: "\n")], toFile: stagedPath(of: content.key))
        } catch  where error.isNoSuchFile {
            if try FileSystem.makeDirectory("\(root)/\(group)") { try FileSystem.syncDirectory(root) }
            if try FileSystem.makeDirectory(stagedDirectory(of: group)) {
                try FileSystem.syncDirectory("\(root)/\(group)")
            }
            try FileSystem.write(content.json + [UInt8(ascii: "\n")], toFile: stagedPath(of: content.key))
        }
    }

    func hasStaged(_ key: RequestKey) -> Bool { FileSystem.size(of: stagedPath(of: key)) != nil }

    /// Makes the staged names durable. If a name is missing after a power cut, its result was therefore published.
    func syncStaged(in group: AppGroupName) throws(SystemError) {
        try FileSystem.syncDirectory(stagedDirectory(of: group))
    }

    /// Moves the staged file to its name in the outbox, in one step.
    func publish(_ key: RequestKey) throws(SystemError) {
        do throws(SystemError) {
            try FileSystem.rename(stagedPath(of: key), to: path(of: key))
        } catch  where error.isNoSuchFile {
            try FileSystem.makeDirectory("\(root)/\(key.group)/outbox")
            try FileSystem.rename(stagedPath(of: key), to: path(of: key))
        }
    }

    /// Removes the published and the staged file of an id.
    ///
    /// - Returns: The number of removed files.
    func erase(_ key: RequestKey) throws(SystemError) -> Int {
        var count = 0
        for path in [path(of: key), stagedPath(of: key)] {
            do throws(SystemError) {
                try FileSystem.remove(path)
                count += 1
            } catch  where error.isNoSuchFile {}
        }
        return count
    }

    /// Returns the result of an id in the outbox; `nil` if a reader has removed the file.
    func content(of key: RequestKey) -> EmittedContent? {
        guard let json = try? FileSystem.contents(of: path(of: key)),
            let object = try? JSONParser.value(of: json).object,
            let outcome = object["outcome"]?.string.flatMap(Outcome.init)
        else { return nil }
        return EmittedContent(
            key: key, outcome: outcome, reason: object["reason"]?.string.flatMap(DegradationReason.init),
            json: json.last == UInt8(ascii: "\n") ? json.dropLast() : json)
    }

    /// Removes the results of all groups, and no other files, that are older than a date.
    func forget(publishedBefore date: Date) {
        for group in ((try? FileSystem.names(in: root)) ?? []).compactMap({ AppGroupName($0) }) {
            let directory = "\(root)/\(group)/outbox"
            guard var scan = try? DirectoryScan.start(directory) else { continue }
            while true {
                let names = scan.next(256)
                for name in names where name.hasSuffix(".json") && RequestID(String(name.dropLast(5))) != nil {
                    let path = "\(directory)/\(name)"
                    guard let status = try? FileSystem.look(at: path), status.kind == .regular,
                        status.changeDate < date
                    else { continue }
                    try? FileSystem.remove(path)
                }
                if names.count < 256 { break }
            }
        }
    }

    // MARK: Recovery after a restart

    /// Publishes a journaled result that may have been published before.
    ///
    /// If the result is staged, it was not published. If the result is not staged, it was published. In this case, its
    /// file in the outbox is complete, has lost its bytes in a power cut, or was removed by its reader.
    func finish(_ content: EmittedContent) throws(SystemError) {
        let isStaged = hasStaged(content.key)
        let published = try? FileSystem.contents(of: path(of: content.key))
        guard isStaged || (published != nil && published != content.json + [UInt8(ascii: "\n")]) else { return }
        try stage(content)
        try publish(content.key)
    }

    /// Prepares an accepted request to be processed again, without its staged result and with its claim.
    func takeBack(_ entry: JournalEntry) {
        guard case .spool(let fileName) = entry.channel else { return }
        try? FileSystem.remove(stagedPath(of: entry.key))
        let claimed = "\(root)/\(entry.key.group)/claimed/\(fileName)"
        let incoming = "\(root)/\(entry.key.group)/incoming/\(fileName)"
        guard FileSystem.size(of: claimed) == nil, (try? FileSystem.contents(of: incoming)) == entry.body else {
            return
        }
        try? FileSystem.rename(incoming, to: claimed)
    }
}
