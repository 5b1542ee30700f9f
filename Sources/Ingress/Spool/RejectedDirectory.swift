import FoundationEssentials
import JSON
import LinuxIO
import NotificationModel

/// `rejected/`: `NAME.json` beside `NAME.error.json`. Everything here blocks.
///
/// First the reason is written, durable, then the file is moved: who sees the file finds the reason. The reason carries
/// the time of the file's last change, to the nanosecond, so that after a crash between the two steps the file that it
/// is about is known again. A name that is taken gets a number: nothing is ever replaced.
struct RejectedDirectory: Sendable {
    /// `NAME.1234567890123456.error.json` is a file name of at most 255 bytes (`NAME_MAX`), with room for the ending that
    /// it has while it is written.
    private static let longestStem = 200
    /// The highest number that is tried one after the other. Each try reads a file, so the numbers of a name that is
    /// rejected thousands of times go on with the time of the file.
    private static let mostTries = 16

    let directories: SpoolDirectories

    private struct Place {
        var rejection: Rejection
        var source: String
        var slot: String
        var stamp: String
    }

    /// Rejects files together, so that they share the folder's sync. Those that are gone by now are passed over.
    func put(_ rejections: [Rejection]) throws(SystemError) {
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

    /// Moves a claimed file whose reason was written before a crash.
    ///
    /// - Returns: whether it was one.
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
                // Somebody has put a file of his own there.
                place.slot = try slot(for: place.rejection.file.name, place.stamp)
                try writeReason(of: place)
                try FileSystem.syncDirectory(directories.rejected)
            }
        }
    }

    // MARK: Names

    private func filePath(_ slot: String) -> String { directories.rejected("\(slot).json") }
    private func reasonPath(_ slot: String) -> String { directories.rejected("\(slot).error.json") }

    /// The first name that is free, or that has this file's reason already: `NAME`, `NAME.2`, `NAME.3` …, and after
    /// `NAME.16` the name with the microseconds of the stamp.
    private func slot(for name: String, _ stamp: String) throws(SystemError) -> String {
        var stem = Substring(SpoolName.stem(name))
        while stem.utf8.count > Self.longestStem { stem.removeLast() }
        var number = 1
        while true {
            let slot = number == 1 ? String(stem) : "\(stem).\(number)"
            if try isFree(filePath(slot)) {
                if try isFree(reasonPath(slot)) { return slot }
                let reason = reason(in: slot)
                if reason?["file"]?.string == name, reason?["arrivedAt"]?.string == stamp { return slot }
            }
            number = number == Self.mostTries ? Self.microseconds(of: stamp) : number + 1
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

    // MARK: Stamps

    /// Returns the microseconds of a stamp since 1970.
    private static func microseconds(of stamp: String) -> Int {
        let parts = stamp.dropLast().split(separator: ".")
        let date = try? Date("\(parts.first ?? "")Z", strategy: Date.ISO8601FormatStyle())
        return Int(date?.timeIntervalSince1970 ?? 0) * 1_000_000 + (Int(parts.last ?? "") ?? 0) / 1_000
    }

    /// When the file was claimed, or moved in: RFC 3339 with nanoseconds. `nil` where there is no such file.
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
