import Glibc

/// Reads a file from its beginning, piece by piece.
package final class FileReader {
    private static let pieceBytes = 1 << 16

    private let file: OwnedDescriptor

    /// - Parameter path: `-` is standard input.
    package init(_ path: String) throws(SystemError) {
        let descriptor = path == "-" ? dup(STDIN_FILENO) : unsafe open(path, O_RDONLY | O_CLOEXEC)
        file = try OwnedDescriptor.adopt(descriptor, from: "open \(path)")
    }

    /// The next piece, as soon as there is any; empty at the end. Blocks.
    package func next() throws(SystemError) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: Self.pieceBytes)
        while true {
            let count = unsafe read(file.raw, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .last("read") }
            buffer.removeLast(buffer.count - count)
            return buffer
        }
    }
}
