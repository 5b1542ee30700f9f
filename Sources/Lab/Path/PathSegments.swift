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
                guard components.popLast() != nil else { throw .outsideTheFolder(String(segment)) }
            default:
                // An encoded slash would make two components out of one behind the checks above.
                guard !component.utf8.contains(0), !component.utf8.contains(UInt8(ascii: "/")) else {
                    throw .outsideTheFolder(String(segment))
                }
                components.append(component)
            }
        }
        return components.joined(separator: "/")
    }
}
