import Base
package import LinuxIO
package import NotificationModel

/// The folder of the recordings: `DIGEST.yaml` for each request, and `files/DIGEST.EXTENSION` for the payloads and bodies
/// that they name. Each file is written under another name and renamed, and no file is readable for other users.
///
/// The recorder's thread is the only one that calls the functions which change files. Names of other forms are the
/// owner's files, and stay.
package final class RecordingFolder: Sendable {
    private struct Entry {
        let label: RecordingLabel
        /// The size of the scenario, in bytes.
        let byteCount: Int
        /// The place in the order of the ages. The oldest recording has the lowest number.
        let age: Int
    }

    private struct State {
        var entries: [String: Entry] = [:]
        /// The sizes of the shared files, by their names.
        var files: [String: Int] = [:]
        var lastAge = 0

        var byteCount: Int { entries.values.reduce(0) { $0 + $1.byteCount } + files.values.reduce(0, +) }
        func isUsed(_ file: String) -> Bool { entries.values.contains { $0.label.files.contains(file) } }
    }

    /// The maximum number of recordings. `lab run` plays at most as many of one folder.
    private static let maxRecordings = 10_000
    private static let suffix = ".yaml"

    let path: String
    private let quota: Int
    private let state = Guarded(State())

    package init(_ path: String, quota: Int) {
        self.path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
        self.quota = quota
    }

    private var files: String { "\(path)/\(Recording.files)" }

    /// The size of all recordings, in bytes.
    package var byteCount: Int { state.withLock { $0.byteCount } }

    // MARK: Changes

    /// Creates the folder, reads the recordings of an earlier daemon, and removes the remains of interrupted writes.
    package func open() throws(SystemError) {
        for directory in [path, files] where !FileSystem.isDirectory(directory) {
            try FileSystem.makeDirectories(directory)
            try FileSystem.setMode(0o700, of: directory)
        }
        var found: [(name: String, label: RecordingLabel, status: FileStatus)] = []
        for name in try FileSystem.names(in: path) {
            if Self.isPartial(name, isNamed: Self.isRecording) { try? FileSystem.remove("\(path)/\(name)") }
            guard Self.isRecording(name), let label = Self.label(of: "\(path)/\(name)"),
                let status = try? FileSystem.look(at: "\(path)/\(name)")
            else { continue }
            found.append((name, label, status))
        }
        found.sort { $0.status.modified < $1.status.modified }
        state.withLock { state in
            for (name, label, status) in found {
                state.lastAge += 1
                state.entries[name] = Entry(label: label, byteCount: status.byteCount, age: state.lastAge)
            }
        }
        let used = Set(found.flatMap(\.label.files))
        for name in try FileSystem.names(in: files) {
            let file = "\(files)/\(name)"
            if used.contains(name), let size = FileSystem.size(of: file) {
                state.withLock { $0.files[name] = size }
            } else if Self.isShared(name) || Self.isPartial(name, isNamed: Self.isShared) {
                try? FileSystem.remove(file)
            }
        }
        makeRoom()
    }

    /// Returns whether a recording fits into the folder. A larger one would remove all others and then itself.
    package func canHold(_ recording: Recording) -> Bool { recording.byteCount <= quota }

    /// Writes a recording in place of an earlier one of the same request, and removes the oldest recordings that exceed
    /// the quota.
    package func write(_ recording: Recording) throws(SystemError) {
        for (name, bytes) in recording.contents.sorted(by: { $0.key < $1.key }) {
            guard state.withLock({ $0.files[name] == nil }) else { continue }
            try FileSystem.replace("\(files)/\(name)", with: bytes, mode: 0o600)
            state.withLock { $0.files[name] = bytes.count }
        }
        let name = recording.label.id + Self.suffix
        let text = Array("\(recording.label.line)\n\(recording.text)".utf8)
        try FileSystem.replace("\(path)/\(name)", with: text, mode: 0o600)
        let replaced = state.withLock { state in
            state.lastAge += 1
            return state.entries.updateValue(
                Entry(label: recording.label, byteCount: text.count, age: state.lastAge), forKey: name)
        }
        if let replaced { removeUnused(replaced.label.files) }
        makeRoom()
    }

    /// Removes the files that a write has left which did not end.
    package func removeRemains() {
        let unused = state.withLock { state in
            let used = Set(state.entries.values.flatMap(\.label.files))
            return state.files.keys.filter { !used.contains($0) }
        }
        removeUnused(unused)
    }

    /// Removes the recordings that an erasure concerns.
    ///
    /// - Returns: The number of removed recordings.
    package func erase(_ step: ErasureStep) throws(SystemError) -> Int {
        let erased = ErasedDigests(step)
        let names = state.withLock { state in
            state.entries.filter { erased.concern($0.value.label) }.map(\.key)
        }
        for name in names { try remove(name) }
        return names.count
    }

    /// Removes the oldest recordings until the rest is within the limits.
    private func makeRoom() {
        while let oldest = state.withLock({ state -> String? in
            guard state.byteCount > quota || state.entries.count > Self.maxRecordings else { return nil }
            return state.entries.min { $0.value.age < $1.value.age }?.key
        }) {
            // A recording that cannot be removed is forgotten until the next start, so that this loop ends.
            do throws(SystemError) { try remove(oldest) } catch { state.withLock { $0.entries[oldest] = nil } }
        }
    }

    private func remove(_ name: String) throws(SystemError) {
        do throws(SystemError) { try FileSystem.remove("\(path)/\(name)") } catch  where error.isNoSuchFile {}
        let entry = state.withLock { $0.entries.removeValue(forKey: name) }
        removeUnused(entry?.label.files ?? [])
    }

    private func removeUnused(_ names: [String]) {
        for name in names where state.withLock({ !$0.isUsed(name) }) {
            try? FileSystem.remove("\(files)/\(name)")
            state.withLock { $0.files[name] = nil }
        }
    }

    // MARK: Reading

    /// Returns the path of the recording of a request; `nil` if the folder has none.
    package static func recording(of id: String, group: String, in folder: String) -> String? {
        let path = "\(folder)/\(RecordingLabel.digest(of: id, in: group))\(suffix)"
        return FileSystem.isRegularFile(path) ? path : nil
    }

    /// Returns the text of a recording as a scenario that can be anywhere: without its first line, and with the paths of
    /// its files below another folder; `nil` if the file is no recording.
    package static func scenario(in path: String, filesBelow folder: String) -> String? {
        guard let bytes = try? FileSystem.contents(ofRegularFile: path, atMost: Recording.maxTextBytes * 2),
            let text = String(validating: bytes, as: UTF8.self),
            let end = text.firstIndex(of: "\n"), RecordingLabel(text[..<end]) != nil
        else { return nil }
        var result = ""
        var rest = text[text.index(after: end)...]
        while let mark = rest.firstRange(of: ": \(Recording.files)/") {
            let place = rest.index(mark.lowerBound, offsetBy: 2)
            let name = rest[place...].prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "." || $0 == "/") }
            result += rest[..<place] + ScenarioValue.quoted("\(folder)/\(name)")
            rest = rest[name.endIndex...]
        }
        return result + rest
    }

    private static func label(of path: String) -> RecordingLabel? {
        guard let file = try? FileSystem.openForReading(path),
            let bytes = try? FileSystem.bytes(of: file, at: 0, count: RecordingLabel.maxLength)
        else { return nil }
        return RecordingLabel(String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self))
    }

    private static func isRecording(_ name: String) -> Bool {
        name.hasSuffix(suffix) && name.utf8.count == 32 + suffix.utf8.count
            && Hexadecimal.isLowercase(name.dropLast(suffix.count))
    }

    private static func isShared(_ name: String) -> Bool {
        let stem = name.prefix { $0 != "." }
        return stem.utf8.count == 64 && Hexadecimal.isLowercase(stem)
    }

    /// Returns whether a name is that of a file which `FileSystem.replace` did not complete.
    private static func isPartial(_ name: String, isNamed: (String) -> Bool) -> Bool {
        guard let part = name.firstRange(of: ".part-") else { return false }
        return isNamed(String(name[..<part.lowerBound]))
    }
}
