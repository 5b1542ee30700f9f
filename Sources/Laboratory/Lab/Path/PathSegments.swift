import Base

/// The remaining segments of a path, from left to right and percent-encoded as received.
struct PathSegments {
    private var segments: ArraySlice<Substring>

    init(_ path: String) { segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst() }

    /// The next segment, which stays in the path.
    var first: Substring? { segments.first }

    /// The remaining segments as a path.
    var rest: String { "/" + segments.joined(separator: "/") }

    /// Removes and returns the next segment. At the end it returns an empty segment, so a missing argument is invalid.
    mutating func take() -> Substring { segments.popFirst() ?? "" }

    static func decode(_ text: some StringProtocol) throws(OriginPathError) -> String {
        do throws(PercentEncoding.DecodingError) { return try PercentEncoding.decode(text) } catch {
            throw .badPercentEncoding(String(text))
        }
    }

    /// Parses all remaining segments as the path of a file below the served directory.
    mutating func remainingFilePath() throws(OriginPathError) -> String {
        var components: [String] = []
        while let segment = segments.popFirst() {
            let component = try Self.decode(segment)
            switch component {
            case "", ".": continue
            case "..":
                guard components.popLast() != nil else { throw .outsideTheDirectory(String(segment)) }
            default:
                // An encoded slash would divide the component into two after the checks above.
                guard !component.utf8.contains(0), !component.utf8.contains(UInt8(ascii: "/")) else {
                    throw .outsideTheDirectory(String(segment))
                }
                components.append(component)
            }
        }
        return components.joined(separator: "/")
    }
}

/// The reason for which a request target is refused.
package enum OriginPathError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The target is neither a path nor an absolute `http` or `https` URL.
    case notAPath(String)
    /// The first segment after the faults misspells a fault, and no file has this name. `meant` has examples.
    case misspeltFault(String, meant: [String])
    /// A fault has no argument, or an invalid one.
    case badArgument(fault: String, argument: String, expected: String)
    /// The path has more faults than ``OriginRequestPath/maxFaults``.
    case tooManyFaults
    /// The path has a `%` without two hexadecimal digits, or bytes that are not UTF-8.
    case badPercentEncoding(String)
    /// The path has a `..` above the served directory, or a byte that no file name can have.
    case outsideTheDirectory(String)

    /// The error, the part of the path that has it, and the correct form.
    package var description: String {
        switch self {
        case .notAPath(let target): "`\(target)` is not a path; a path begins with `/`"
        case .misspeltFault(let segment, let meant):
            "`\(segment)` is neither a fault nor a file or directory here; did you mean \(meant.joined(separator: " or "))?"
        case .badArgument(let fault, "", let expected): "/\(fault)/ lacks its argument; write \(expected)"
        case .badArgument(let fault, let argument, let expected):
            "/\(fault)/ does not take `\(argument)`; write \(expected)"
        case .tooManyFaults: "more than \(OriginRequestPath.maxFaults) faults in one path"
        case .badPercentEncoding(let segment): "`\(segment)` is not percent-encoded UTF-8"
        case .outsideTheDirectory(let segment): "`\(segment)` names nothing inside the served directory"
        }
    }
}
