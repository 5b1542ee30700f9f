/// Where a value was written.
package enum ValueSource: Sendable, Hashable, CustomStringConvertible {
    case `default`
    /// Lines count from 1.
    case file(path: String, line: Int)
    case environment(String)
    /// With its dashes.
    case flag(String)

    package var description: String {
        switch self {
        case .default: "default"
        case .file(let path, let line): "\(QuotedText.path(path)):\(line)"
        case .environment(let name): "environment \(name)"
        case .flag(let name): "flag \(name)"
        }
    }

    /// As it stands before the colon of a message.
    var inMessage: String {
        switch self {
        case .default, .file: description
        case .environment(let name), .flag(let name): name
        }
    }
}
