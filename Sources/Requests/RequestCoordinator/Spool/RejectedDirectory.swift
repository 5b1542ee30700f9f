import Base
import FoundationEssentials
import LinuxIO
import NotificationModel

/// The directory `rejected/`, in which `NAME.json` is beside `NAME.error.json`. All calls block.
///
/// The reason is written durably before the file is moved, so a reader of the file finds the reason. The reason
/// contains the time of the file's last change in nanoseconds. This time identifies the file after a crash between the
/// two steps. If a name is in use, the name of the new file gets a number, so no file is ever replaced.
struct RejectedDirectory: Sendable {
    /// The maximum length of a name's stem, in bytes. `NAME.1234567890123456.error.json` then has at most 255 bytes
    /// (`NAME_MAX`), including the suffix that it has while it is written.
    private static let maxStem = 200
    /// The highest number that is tried, by reading a file. After it, the time of the file is added to the name.
    private static let maxTries = 16

    let directories: SpoolDirectories

    private struct Place {
        var rejection: Rejection
        var source: String
        var slot: String
        var stamp: String
    }

    /// Rejects files together, so that they share the sync of the directory. If one of them fails, they are rejected
    /// one by one, so that the error of a file does not affect the other files. Returns the error of each file; `nil`
    /// if the file was moved or no longer exists.
    func put(_ rejections: [Rejection]) -> [SystemError?] {
        if (try? putTogether(rejections)) != nil { return rejections.map { _ in nil } }
        return rejections.map { rejection in
            do throws(SystemError) { try putTogether([rejection]) } catch { return error }
            return nil
        }
    }

    private func putTogether(_ rejections: [Rejection]) throws(SystemError) {
        var places: [Place] = []
        for rejection in rejections {
            let name = rejection.file.name
            let source = rejection.isClaimed ? directories.claimed(name) : directories.incoming(name)
            guard let stamp = try stamp(of: source) else { continue }
            let place = Place(rejection: rejection, source: source, slot: try slot(for: name, stamp), stamp: stamp)
            try writeReason(of: place)
            places.append(place)
        }
        guard !places.isEmpty else { return }
        try FileSystem.syncDirectory(directories.rejected)
        for place in places { try move(place) }
    }

    /// Moves a claimed file whose reason was written before a crash, and returns whether the file had such a reason.
    func finish(_ name: String) throws(SystemError) -> Bool {
        let source = directories.claimed(name)
        guard let stamp = try stamp(of: source) else { return false }
        let slot = try slot(for: name, stamp)
        guard reason(in: slot)?["file"]?.string == name, reason(in: slot)?["arrivedAt"]?.string == stamp else {
            return false
        }
        try FileSystem.move(source, to: filePath(slot))
        return true
    }

    private func writeReason(of place: Place) throws(SystemError) {
        let text = JSONWriter.text(of: place.rejection.json(arrivedAt: place.stamp), pretty: true) + "\n"
        try FileSystem.create(reasonPath(place.slot), in: directories.rejected, with: Array(text.utf8))
    }

    private func move(_ place: Place) throws(SystemError) {
        var place = place
        while true {
            do throws(SystemError) { return try FileSystem.move(place.source, to: filePath(place.slot)) } catch {
                if error.isNoSuchFile { return }
                guard error.isNameTaken else { throw error }
                // Another program has created a file with this name.
                place.slot = try slot(for: place.rejection.file.name, place.stamp)
                try writeReason(of: place)
                try FileSystem.syncDirectory(directories.rejected)
            }
        }
    }

    // MARK: Names in the directory

    private func filePath(_ slot: String) -> String { directories.rejected("\(slot).json") }
    private func reasonPath(_ slot: String) -> String { directories.rejected("\(slot).error.json") }

    /// Returns the first name that is free, or that already has this file's reason. The names are `NAME`, `NAME.2`,
    /// `NAME.3` …. After `NAME.16`, the name has the microseconds of the stamp.
    private func slot(for name: String, _ stamp: String) throws(SystemError) -> String {
        var stem = Substring(SpoolName.stem(name))
        while stem.utf8.count > Self.maxStem { stem.removeLast() }
        var number = 1
        while true {
            let slot = number == 1 ? String(stem) : "\(stem).\(number)"
            if try isFree(filePath(slot)) {
                if try isFree(reasonPath(slot)) { return slot }
                let reason = reason(in: slot)
                if reason?["file"]?.string == name, reason?["arrivedAt"]?.string == stamp { return slot }
            }
            number = number == Self.maxTries ? Self.microseconds(of: stamp) : number + 1
        }
    }

    private func isFree(_ path: String) throws(SystemError) -> Bool {
        do throws(SystemError) {
            _ = try FileSystem.look(at: path)
            return false
        } catch  where error.isNoSuchFile {
            return true
        }
    }

    private func reason(in slot: String) -> JSONObject? {
        let bytes = try? FileSystem.contents(ofRegularFile: reasonPath(slot), atMost: 1 << 16)
        return bytes.flatMap { try? JSONParser.value(of: $0).object }
    }

    /// Returns the microseconds of a stamp since 1970.
    private static func microseconds(of stamp: String) -> Int {
        let parts = stamp.dropLast().split(separator: ".")
        let date = try? Date("\(parts.first ?? "")Z", strategy: Date.ISO8601FormatStyle())
        return Int(date?.timeIntervalSince1970 ?? 0) * 1_000_000 + (Int(parts.last ?? "") ?? 0) / 1_000
    }

    /// Returns the time when the file was claimed or moved in, in RFC 3339 with nanoseconds; `nil` without a file.
    private func stamp(of path: String) throws(SystemError) -> String? {
        do throws(SystemError) {
            let (seconds, attoseconds) = try FileSystem.look(at: path).changed.components
            let date = Date(timeIntervalSince1970: Double(seconds)).formatted(Date.ISO8601FormatStyle())
            let digits = String(attoseconds / 1_000_000_000)
            return date.dropLast() + "." + String(repeating: "0", count: 9 - digits.count) + digits + "Z"
        } catch  where error.isNoSuchFile {
            return nil
        }
    }
}

/// A file that is moved to `rejected`, with the reason that is written beside it.
struct Rejection: Sendable {
    let file: SpoolFile
    /// Whether the file is in `claimed`. Otherwise it is in `incoming`, because another file of its name is claimed.
    let isClaimed: Bool
    let why: PayloadError
    let date: Date

    /// Returns the text that is written beside the file with this stamp.
    func json(arrivedAt: String) -> JSONValue {
        var object: JSONObject = [
            "file": .string(file.name), "reason": .string(why.reason.rawValue), "problem": .string(why.problem),
        ]
        if let key = why.key { object.append("key", .string(key)) }
        if let line = why.line { object.append("line", .number(JSONNumber(line))) }
        if let column = why.column { object.append("column", .number(JSONNumber(column))) }
        object.append("appGroup", .string(file.group.description))
        object.append("arrivedAt", .string(arrivedAt))
        object.append("rejectedAt", .timestamp(date))
        return .object(object)
    }
}
