import OriginFaults
import WebURL

/// The page at `/`: the faults, each with a path that a client can request, and the served files.
struct OriginIndex {
    private let files: ServedDirectory.Listing

    init(files: ServedDirectory.Listing) { self.files = files }

    var text: String {
        let example = files.paths.first ?? "photo.jpg"
        let faults = FaultReference.entries.map { (path: $0.example(of: example), meaning: $0.meaning) }
        let width = (faults.map(\.path.count).max() ?? 0) + 2
        return """
            This origin misbehaves on request: a path is faults, which act from left to right, and then a file.

            Faults, each with an example:
            \(faults.map { "  " + $0.path + String(repeating: " ", count: width - $0.path.count) + $0.meaning }.lines)

            Files:
            \(files.paths.map { "  " + Self.path(of: $0) }.lines)
            \(files.isComplete ? "" : "  and more\n")
            """
    }

    /// Returns the request path of a file.
    static func path(of file: String) -> String {
        "/" + file.split(separator: "/").map { PercentEncoding.text(of: String($0)) }.joined(separator: "/")
    }
}

extension [String] {
    fileprivate var lines: String { isEmpty ? "  none" : joined(separator: "\n") }
}
