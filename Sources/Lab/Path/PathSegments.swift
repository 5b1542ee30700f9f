/// The segments of a path that are still to be read, from the left, as they came (percent-encoded).
struct PathSegments {
    private var segments: ArraySlice<Substring>

    init(_ path: String) {
        segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    }

    /// The next segment, unread.
    var first: Substring? { segments.first }

    /// All that is left, as a path.
    var rest: String { "/" + segments.joined(separator: "/") }

    /// The next segment; an empty one where nothing is left, so that a missing argument is a bad one.
    mutating func take() -> Substring { segments.popFirst() ?? "" }

    /// Reads all that is left as the path of a file below the served folder.
    mutating func remainingFilePath() throws(OriginPathError) -> String {
        var components: [String] = []
        while let segment = segments.popFirst() {
            let component = try PercentEncoding.decode(segment)
            switch component {
            case "", ".": continue
            case "..":
                guard components.popLast() != nil else { throw .outsideTheDirectory(String(segment)) }
            default:
                // An encoded slash would make two components out of one behind the checks above.
                guard !component.utf8.contains(0), !component.utf8.contains(UInt8(ascii: "/")) else {
                    throw .outsideTheDirectory(String(segment))
                }
                components.append(component)
            }
        }
        return components.joined(separator: "/")
    }
}

/// Why a request target asks for nothing that the origin has.
package enum OriginPathError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The target is neither a path nor an absolute `http` or `https` URL.
    case notAPath(String)
    /// The first segment after the faults misspells one, and no file or folder has it. `meant`: paths of the
    /// reference.
    case misspeltFault(String, meant: [String])
    /// A fault stands without its argument, or with one that it cannot take.
    case badArgument(fault: String, argument: String, expected: String)
    /// More faults than ``OriginRequestPath/mostFaults``.
    case tooManyFaults
    /// A `%` without two hexadecimal digits, or bytes that are no UTF-8.
    case badPercentEncoding(String)
    /// A `..` above the served folder, or a byte that no file name holds.
    case outsideTheDirectory(String)

    /// What is wrong, where, and how to write it.
    package var description: String {
        switch self {
        case .notAPath(let target): "`\(target)` is not a path; a path begins with `/`"
        case .misspeltFault(let segment, let meant):
            "`\(segment)` is neither a fault nor a file or folder here; did you mean \(meant.joined(separator: " or "))?"
        case .badArgument(let fault, "", let expected): "/\(fault)/ lacks its argument; write \(expected)"
        case .badArgument(let fault, let argument, let expected):
            "/\(fault)/ does not take `\(argument)`; write \(expected)"
        case .tooManyFaults: "more than \(OriginRequestPath.mostFaults) faults in one path"
        case .badPercentEncoding(let segment): "`\(segment)` is not percent-encoded UTF-8"
        case .outsideTheDirectory(let segment): "`\(segment)` names nothing inside the served folder"
        }
    }
}

extension Int {
    /// A number of ASCII digits and nothing else: no sign, no underscore, no blank, at least one digit.
    init?(decimalDigits text: some StringProtocol, atMost longest: Int) {
        guard (1...longest).contains(text.utf8.count) else { return nil }
        guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
        self.init(text)
    }
}
