import BenchProcess
import LinuxIO

/// The settings of an H.264 video, by their names. x264 writes them into the first frame (`x264_param2string`). Two
/// videos can therefore be compared.
struct X264Settings {
    private let values: [Substring: Substring]

    /// - Throws: A `BenchFailure` if x264 did not encode the file.
    init(of path: String) throws {
        let bytes = try FileSystem.contents(of: path)
        guard let version = bytes.firstRange(of: Array("x264 - core".utf8)),
            let start = bytes[version.upperBound...].firstRange(of: Array(" options: ".utf8))?.upperBound
        else { throw BenchFailure("\(path) has no video that x264 encoded") }
        let text = String(decoding: bytes[start...].prefix { $0 != 0 }, as: UTF8.self)
        let pairs = text.split(separator: " ").map { $0.split(separator: "=", maxSplits: 1) }
        values = Dictionary(pairs.filter { $0.count == 2 }.map { ($0[0], $0[1]) }) { first, _ in first }
    }

    subscript(name: String) -> String? { values[name[...]].map(String.init) }

    /// Returns the settings that differ between two videos, for people; empty if all are equal.
    func differences(from other: X264Settings) -> String {
        Set(values.keys).union(other.values.keys).sorted().filter { values[$0] != other.values[$0] }
            .map { "\($0)=\(values[$0] ?? "none") and \(other.values[$0] ?? "none")" }.joined(separator: ", ")
    }
}
