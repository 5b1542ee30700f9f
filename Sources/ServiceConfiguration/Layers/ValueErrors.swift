/// Every refused part of one value.
struct ValueErrors: Error, Sendable {
    var all: [ValueError]

    init(_ all: [ValueError]) { self.all = all }
    init(_ source: ValueSource, _ text: String) { all = [ValueError(source: source, text: text)] }

    /// The same of the value that has this one as its part.
    func below(_ place: String) -> [ValueError] {
        all.map { ValueError(source: $0.source, place: place + $0.place, text: $0.text) }
    }
}

/// Why a value, or a part of it, cannot be taken.
struct ValueError: Sendable, Equatable {
    let source: ValueSource
    /// Of the part, below the key: `[0].media`; empty for the value itself.
    var place = ""
    /// What is wrong and how to mend it. Never has a secret in it.
    let text: String
}

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
