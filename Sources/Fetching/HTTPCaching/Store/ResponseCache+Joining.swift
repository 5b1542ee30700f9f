import Base
package import LinuxIO
import NotificationModel

/// The joining of parts of one representation that were received at different times.
extension ResponseCache {
    private static let pieceByteCount = 1 << 18

    package func joined(_ parts: [ResponseBody]) async -> MediaFile? {
        do throws(SystemError) { return try await join(parts) } catch {
            warnings.report("join", "parts of a body cannot be joined in the cache: \(error)")
            return nil
        }
    }

    /// Copies the parts into one nameless file; returns `nil` if a file is shorter than its part.
    private func join(_ parts: [ResponseBody]) async throws(SystemError) -> MediaFile? {
        try bodies.makeDirectory()
        let joined = try AnonymousFile.create(in: bodies.directory)
        for part in parts {
            guard let file = part.file else { continue }
            var offset = part.bytes.lowerBound
            while offset < part.bytes.upperBound {
                let count = min(Self.pieceByteCount, part.bytes.upperBound - offset)
                let piece = try FileSystem.bytes(of: file, at: offset, count: count)
                guard !piece.isEmpty else { return nil }
                try FileSystem.write(piece[...], to: joined.descriptor)
                offset += piece.count
                // The thread does other work between two pieces.
                await Task.yield()
            }
        }
        return joined
    }
}
