/// Why a file is not read.
package enum RegularFileError: Error, Sendable, Equatable, CustomStringConvertible {
    case missing
    /// A folder, a symbolic link, a FIFO, a socket or a device has the name.
    case notRegular(FileStatus.Kind)
    /// - Parameter limit: in bytes.
    case tooLarge(limit: Int)
    case failed(SystemError)

    package var description: String {
        switch self {
        case .missing: "there is no such file"
        case .notRegular(.folder): "it is a folder"
        case .notRegular(.symbolicLink): "it is a symbolic link"
        case .notRegular: "it is no regular file"
        case .tooLarge(let limit): "it has more than \(limit) bytes"
        case .failed(let error): "\(error)"
        }
    }
}
