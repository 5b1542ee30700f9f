import Glibc

/// A reader that reads a file from its beginning, piece by piece.
package final class FileReader {
    private static let pieceBytes = 1 << 16

    private let file: OwnedDescriptor

    /// Opens a file, or standard input if the path is `-`.
    package init(_ path: String) throws(SystemError) {
        let descriptor = path == "-" ? dup(STDIN_FILENO) : unsafe open(path, O_RDONLY | O_CLOEXEC)
        file = try OwnedDescriptor.adopt(descriptor, from: "open \(path)")
    }

    /// Returns the next piece as soon as bytes are available, at most 64 KiB; empty at the end. The call blocks.
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

/// The reason why a file is not read.
package enum RegularFileError: Error, Sendable, Equatable, CustomStringConvertible {
    case missing
    /// The name belongs to a directory, a symbolic link, a FIFO, a socket or a device.
    case notRegular(FileStatus.Kind)
    /// The file has more than `limit` bytes.
    case tooLarge(limit: Int)
    case failed(SystemError)

    package var description: String {
        switch self {
        case .missing: "there is no such file"
        case .notRegular(.directory): "it is a directory"
        case .notRegular(.symbolicLink): "it is a symbolic link"
        case .notRegular: "it is not a regular file"
        case .tooLarge(let limit): "it has more than \(limit) bytes"
        case .failed(let error): "\(error)"
        }
    }
}
