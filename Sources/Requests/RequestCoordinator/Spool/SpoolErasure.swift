import Base
import Glibc
package import LinuxIO
package import NotificationModel

/// The erasure of files that wait in `incoming/`, were rejected, or have results, whatever their names are. All of them belong
/// to the group of their directory. A claimed file is about to become a request or to be rejected, so that its erasure is
/// tried again.
package struct SpoolErasure: Erasable {
    package static var erasedPlaces: [String] { ["incoming", "claimed", "rejected"] }

    private static let partBytes = 1 << 20
    /// The size up to which a result is read as a whole, in bytes. A result repeats its payload.
    private static let maxResultBytes = 64 << 20

    private let root: String
    private let loop: EventLoop
    /// The size up to which a file is read as a request, in bytes. A larger file is searched in parts.
    private let maxBytes: Int
    /// Whether the files of a group are claimed.
    private let isServed: @Sendable (AppGroupName) -> Bool

    /// - Parameter loop: The thread of the files.
    package init(
        root: String, on loop: EventLoop, maxBytes: Int, isServed: @escaping @Sendable (AppGroupName) -> Bool
    ) {
        (self.root, self.loop, self.maxBytes, self.isServed) = (root, loop, maxBytes, isServed)
    }

    /// Whether the spool submits a file in `claimed/`.
    private func isClaim(_ name: String, of group: AppGroupName) -> Bool { name.hasSuffix(".json") && isServed(group) }

    package func erase(_ step: ErasureStep) async throws(MediaFailure) -> ErasureCounts {
        var counts = ErasureCounts()
        guard step.isLast else { return counts }
        let matcher = ErasureMatcher(step)
        // A file may be claimed between two of these.
        for directory in ["claimed", "incoming", "claimed", "rejected", "outbox"] {
            counts += try await erase(in: directory, matcher)
        }
        return counts
    }

    private func erase(in directory: String, _ matcher: ErasureMatcher) async throws(MediaFailure) -> ErasureCounts {
        var counts = ErasureCounts()
        let path = "\(root)/\(matcher.step.target.group)/\(directory)"
        for name in try await names(in: path) {
            do throws(SystemError) {
                let match = try await match(name, in: path, matcher)
                if directory == "claimed", isClaim(name, of: matcher.step.target.group) {
                    if match == .concerns { throw SystemError("the file is being accepted", errno: EBUSY) }
                } else if match == .mentions {
                    counts.mentions += 1
                } else if match == .concerns {
                    counts.spoolFiles += try await loop.perform { () throws(SystemError) in try remove(name, in: path) }
                }
            } catch {
                guard !error.isNoSuchFile else { continue }
                throw MediaFailure(.storageFailed, "\(directory)/\(name) cannot be removed: \(error)")
            }
        }
        return counts
    }

    private func names(in directory: String) async throws(MediaFailure) -> [String] {
        do throws(SystemError) {
            return try await loop.perform { () throws(SystemError) in try FileSystem.names(in: directory) }
        } catch {
            guard !error.isNoSuchFile else { return [] }
            throw MediaFailure(.storageFailed, "\(directory) cannot be read: \(error)")
        }
    }

    /// The name of a file without `.json` is the id of a request that names none.
    private func match(
        _ name: String, in directory: String, _ matcher: ErasureMatcher
    ) async throws(SystemError) -> ErasureMatcher.Match {
        let path = "\(directory)/\(name)"
        guard await loop.perform({ FileSystem.isRegularFile(path) }) else { return .none }
        let target = matcher.step.target
        let stem = name.hasSuffix(".json") ? String(name.dropLast(".json".count)) : name
        if target.kind == .group || target.kind == .id && stem == target.name { return .concerns }
        let isResult = directory.hasSuffix("/outbox")
        let most = isResult ? Self.maxResultBytes : maxBytes
        let contents = await loop.perform {
            Result { () throws(RegularFileError) in try FileSystem.contents(ofRegularFile: path, atMost: most) }
        }
        let bytes: [UInt8]
        switch contents {
        case .success(let read): bytes = read
        case .failure(.missing), .failure(.notRegular): return .none
        case .failure(.failed(let error)): throw error
        case .failure(.tooLarge): return try await matchParts(of: path, named: name, matcher)
        }
        if isResult { return matcher.match(result: bytes) }
        // The file that says why another one was rejected may repeat its values.
        let isReason = directory.hasSuffix("/rejected") && name.hasSuffix(".error.json")
        let object = isReason ? nil : try? JSONParser.value(of: bytes).object
        return matcher.match(
            bytes + Array("\n\(name)".utf8), as: object, weakID: RequestID(stem), in: target.group,
            permitted: .only([target.group]))
    }

    /// Searches a file that is too large for a request.
    private func matchParts(
        of path: String, named name: String, _ matcher: ErasureMatcher
    ) async throws(SystemError) -> ErasureMatcher.Match {
        let file = try await loop.perform { () throws(SystemError) in try FileSystem.openForReading(path) }
        var (offset, kept): (Int, [UInt8]) = (0, Array("\(name)\n".utf8))
        while true {
            let start = offset
            // The thread does other work between two parts.
            let part = try await loop.perform { () throws(SystemError) in
                try FileSystem.bytes(of: file, at: start, count: Self.partBytes)
            }
            let text = kept + part
            let match = matcher.match(
                text, as: nil, in: matcher.step.target.group, isFirst: start == 0, isLast: part.isEmpty)
            if match == .concerns { return .concerns }
            guard !part.isEmpty else { return .none }
            offset += part.count
            kept = Array(text.suffix(matcher.overlap))
        }
    }

    /// Removes a file, with the file that says why it was rejected.
    ///
    /// - Returns: The number of removed files.
    private func remove(_ name: String, in directory: String) throws(SystemError) -> Int {
        var count = 0
        let reason = name.hasSuffix(".json") ? [String(name.dropLast(".json".count)) + ".error.json"] : []
        for file in [name] + reason {
            do throws(SystemError) {
                try FileSystem.remove("\(directory)/\(file)")
                count += 1
            } catch  where error.isNoSuchFile {}
        }
        return count
    }
}
