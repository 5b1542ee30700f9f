import BenchProcess
import LinuxIO

/// The settings of an H.264 video, by their names. x264 writes them into the first frame (`x264_param2string`), so two
/// videos can be checked for the same ones.
struct X264Settings {
    private let values: [Substring: Substring]

    /// - Throws: when the file has no video of x264.
    init(of path: String) throws {
        let bytes = try FileSystem.contents(of: path)
        guard let version = bytes.firstRange(of: Array("x264 - core".utf8)),
            let start = bytes[version.upperBound...].firstRange(of: Array(" options: ".utf8))?.upperBound
        else { throw BenchFailure("\(path) has no video of x264") }
        let text = String(decoding: bytes[start...].prefix { $0 != 0 }, as: UTF8.self)
        let pairs = text.split(separator: " ").map { $0.split(separator: "=", maxSplits: 1) }
        values = Dictionary(pairs.filter { $0.count == 2 }.map { ($0[0], $0[1]) }) { first, _ in first }
    }

    subscript(name: String) -> String? { values[name[...]].map(String.init) }

    /// The settings that two videos do not share, for people; empty if they share all.
    func differences(from other: X264Settings) -> String {
        Set(values.keys).union(other.values.keys).sorted().filter { values[$0] != other.values[$0] }
            .map { "\($0)=\(values[$0] ?? "none") and \(other.values[$0] ?? "none")" }.joined(separator: ", ")
    }
}
