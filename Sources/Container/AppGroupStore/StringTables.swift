import Base
package import LinuxIO
package import NotificationModel

/// The tables of localized strings: `GROUP/strings/LOCALE.json`, read on first use and after each change of the file.
///
/// **Input.** The name of a table and a group. **Output.** The texts by their keys, or `nil`.
///
/// **Refused.** A file that is not a JSON object, is larger than a mebibyte, or is not a regular file. The refusal is
/// reported, and the table counts as missing.
///
/// **Thread.** The actor reads files on the thread of its loop. **Cancellation.** A cancelled caller gets `nil` at
/// once.
package actor StringTables: StringTableReading {
    /// The maximum size of a file, in bytes.
    static let largest = 1 << 20
    /// The maximum number of tables that are kept in memory.
    private static let maxKept = 256

    private struct Place: Hashable {
        let group: AppGroupName
        let name: String
    }

    private struct Kept {
        let changed: Duration
        let texts: [String: String]?
    }

    private let root: String
    private let warn: @Sendable (String) -> Void
    private nonisolated let loop: EventLoop
    private var kept: [Place: Kept] = [:]

    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// - Parameter loop: The thread that reads the files. Its owner ends it.
    /// - Parameter warn: A closure that receives a sentence about a file that is not a table, once for each change of
    ///   the file.
    package init(root: String, on loop: EventLoop, warn: @escaping @Sendable (String) -> Void = { _ in }) {
        self.root = root
        self.loop = loop
        self.warn = warn
    }

    package nonisolated func table(_ name: String, in group: AppGroupName) async -> [String: String]? {
        let waiter = Waiter<[String: String]?>()
        loop.execute {
            // A cancelled caller already has the result `nil`, so its table need not be read.
            guard !waiter.isResumed else { return }
            waiter.resume(returning: self.assumeIsolated { $0.texts(of: Place(group: group, name: name)) })
        }
        return await waiter.value { $0.resume(returning: nil) }
    }

    private func texts(of place: Place) -> [String: String]? {
        let path = "\(root)/\(place.group)/strings/\(place.name).json"
        guard let status = try? FileSystem.look(at: path), status.kind == .regular else {
            kept[place] = nil
            return nil
        }
        if let known = kept[place], known.changed == status.changed { return known.texts }
        if kept.count >= Self.maxKept { kept = [:] }
        let texts = read(path)
        kept[place] = Kept(changed: status.changed, texts: texts)
        return texts
    }

    private func read(_ path: String) -> [String: String]? {
        do {
            let bytes = try FileSystem.contents(ofRegularFile: path, atMost: Self.largest)
            guard let object = try JSONParser.value(of: bytes).object else {
                warn("\(path) is not a JSON object of texts, so it is not used")
                return nil
            }
            return object.members.reduce(into: [:]) { texts, member in
                if let text = member.value.string { texts[member.key] = text }
            }
        } catch {
            warn("\(path) cannot be used: \(error)")
            return nil
        }
    }
}
