/// All errors in one value.
struct ValueErrors: Error, Sendable {
    var all: [ValueError]

    init(_ all: [ValueError]) { self.all = all }
    init(_ source: ValueSource, _ text: String) { all = [ValueError(source: source, text: text)] }

    /// Returns the errors with the path of the value that contains this value.
    func below(_ place: String) -> [ValueError] {
        all.map { ValueError(source: $0.source, place: place + $0.place, text: $0.text) }
    }
}

/// The reason for which a value, or a part of it, is invalid.
struct ValueError: Sendable, Equatable {
    let source: ValueSource
    /// The path of the part below the key, such as `[0].media`; empty for the value itself.
    var place = ""
    /// The error and its remedy. The text never contains a secret.
    let text: String
}

/// The source of a value: the line of a file, a variable, a flag, or the default.
package enum ValueSource: Sendable, Hashable, CustomStringConvertible {
    case `default`
    /// A line of the configuration file. Lines are counted from 1.
    case file(path: String, line: Int)
    case environment(String)
    /// A flag with its dashes.
    case flag(String)

    package var description: String {
        switch self {
        case .default: "default"
        case .file(let path, let line): "\(QuotedText.path(path)):\(line)"
        case .environment(let name): "environment \(name)"
        case .flag(let name): "flag \(name)"
        }
    }

    /// The source as it precedes the colon of a message.
    var inMessage: String {
        switch self {
        case .default, .file: description
        case .environment(let name), .flag(let name): name
        }
    }
}
