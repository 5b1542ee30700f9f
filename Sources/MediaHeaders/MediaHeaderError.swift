/// Why a header walk ended without a header. The text names the place, for one log line.
package enum MediaHeaderError: Error, Sendable, Equatable {
    /// The bytes do not begin as this format does.
    case wrongFormat
    /// The bytes end inside the named part.
    case truncated(String)
    /// The named part contradicts the format.
    case malformed(String)
    /// More of the named parts than a walk is willing to list.
    case excessive(String)
    /// The named part follows the format, but nothing here shows it.
    case unsupported(String)

    /// One line: what is wrong and where.
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
