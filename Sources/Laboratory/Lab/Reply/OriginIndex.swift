import Base
import OriginFaults

/// The page at `/`: the faults, each with a path that a client can request, and the served files.
struct OriginIndex {
    let files: ServedDirectory.Listing

    var text: String {
        let example = files.paths.first ?? "photo.jpg"
        let faults = FaultReference.entries.map { ($0.example(of: example), $0.meaning) }
        let paths = files.paths.map { "  " + Self.path(of: $0) }
        return """
            This origin misbehaves on request: a path is faults, which act from left to right, and then a file.

            Faults, each with an example:
            \(FaultReference.aligned(faults))

            Files:
            \(paths.isEmpty ? "  none" : paths.joined(separator: "\n"))
            \(files.isComplete ? "" : "  and more\n")
            """
    }

    /// Returns the request path of a file.
    static func path(of file: String) -> String {
        "/" + file.split(separator: "/").map { PercentEncoding.text(of: String($0)) }.joined(separator: "/")
    }
}
