import JSON
import LinuxIO
package import NotificationModel
import Primitives

/// The erasure of lines of stored batches. A line keeps its length and its number, so that an open batch goes on.
extension Batches: Erasable {
    package static var erasedPlaces: [String] { [".appgroupd/batches"] }

    package func erase(_ step: ErasureStep) async throws(MediaFailure) -> ErasureCounts {
        var counts = ErasureCounts()
        guard step.isLast else { return counts }
        for batch in storedBatches {
            let isWhole = step.target.kind == .group && (batch.record.group ?? .default) == step.target.group
            // A line without a group has the group of its batch.
            guard isWhole || step.target.kind != .group || batch.mayName(step.target.group) else { continue }
            do throws(SystemError) {
                // The lines in memory are written first, so that the file has all of them.
                try await batch.results?.sync()
                for path in [BatchDirectory.bodyPath(batch.path), BatchDirectory.resultsPath(batch.path)] {
                    counts.batchLines += try await eraseLines(of: path, step, isWhole: isWhole)
                }
            } catch {
                guard !error.isNoSuchFile else { continue }
                throw MediaFailure(.storageFailed, "the batch \(batch.record.id) cannot be changed: \(error)")
            }
        }
        return counts
    }

    /// Overwrites the lines of a file that concern the target.
    ///
    /// - Returns: The number of overwritten lines.
    private func eraseLines(of path: String, _ step: ErasureStep, isWhole: Bool) async throws(SystemError) -> Int {
        let loop = filesLoop
        guard await loop.perform({ FileSystem.isRegularFile(path) }) else { return 0 }
        let file = try await loop.perform { () throws(SystemError) in try FileSystem.openForUpdate(path) }
        var (line, start, offset, count): ([UInt8], Int, Int, Int) = ([], 0, 0, 0)
        var pieces = FilePieces(file: file, loop: loop).makeAsyncIterator()
        while let piece = try await pieces.piece() {
            var rest = piece[...]
            while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                line += rest[..<end]
                if let substitute = Self.substitute(for: line, step, isWhole: isWhole) {
                    let place = start
                    try await loop.perform { () throws(SystemError) in
                        try FileSystem.write(substitute, to: file, at: place)
                    }
                    count += 1
                }
                rest = rest[(end + 1)...]
                (line, start) = ([], offset + rest.startIndex)
            }
            // A longer line is no request, and has no result. Its bytes are counted only.
            if line.count <= BatchLimits.longestLine { line += rest }
            offset += piece.count
        }
        if count > 0 { try await loop.perform { () throws(SystemError) in try FileSystem.sync(file) } }
        return count
    }

    /// Returns the bytes in place of a line that concerns the target; `nil` for another line. A result keeps its number,
    /// by which a restarted daemon knows that the line has a result. A line of the body becomes blank, which is skipped.
    private static func substitute(for line: [UInt8], _ step: ErasureStep, isWhole: Bool) -> [UInt8]? {
        guard let value = try? JSONParser.value(of: line), value["erased"] == nil else { return nil }
        let group = (value["group"]?.string ?? value["appGroup"]?.string).flatMap { AppGroupName($0) }
        let isConcerned =
            step.target.kind == .group ? group.map { $0 == step.target.group } ?? isWhole : step.concerns(value)
        guard isConcerned else { return nil }
        var bytes: [UInt8] = []
        if let number = value["line"] { bytes = JSONWriter.bytes(of: ["line": number, "erased": true]) }
        guard bytes.count <= line.count else { return nil }
        return bytes + Array(repeating: UInt8(ascii: " "), count: line.count - bytes.count)
    }
}

extension StoredBatch {
    /// Returns whether a line of the batch may name a group.
    fileprivate func mayName(_ group: AppGroupName) -> Bool { record.groups?.contains(group) ?? true }
}
