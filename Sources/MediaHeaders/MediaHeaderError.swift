/// The reason why a header walk ended without a header. The text names the part of the file, for one log line.
package enum MediaHeaderError: Error, Sendable, Equatable {
    /// The bytes do not begin with the signature of this format.
    case wrongFormat
    /// The bytes end inside the named part.
    case truncated(String)
    /// The named part contradicts the format.
    case malformed(String)
    /// The file has more of the named parts than a walk lists.
    case excessive(String)
    /// The named part follows the format, but no decoder of the worker can show it.
    case unsupported(String)

    /// One line that names the fault and the part of the file.
    package var detail: String {
        switch self {
        case .wrongFormat: "not the signature of this format"
        case .truncated(let part): "ends inside \(part)"
        case .malformed(let part): "malformed \(part)"
        case .excessive(let part): "too many \(part)"
        case .unsupported(let part): "no support for \(part)"
        }
    }
}
