import FoundationEssentials

/// Small files that the laboratory serves if a scenario names no file of its own.
package enum SampleMedia {
    /// The extensions for which there is a sample.
    package static var extensions: [String] { encoded.keys.sorted() }

    private static let others = ["jpeg": "jpg", "heif": "heic", "mov": "mp4", "m4v": "mp4", "aac": "m4a"]

    /// Returns a sample for the extension of a path, and the extension of the sample. A path with another extension, or
    /// with none, gets a JPEG.
    package static func sample(for path: String) -> (extension: String, bytes: [UInt8]) {
        let name = path.split(separator: "/").last ?? ""
        let suffix = name.split(separator: ".").dropFirst().last.map { $0.lowercased() } ?? ""
        let wanted = others[suffix] ?? suffix
        let found = encoded[wanted] == nil ? "jpg" : wanted
        let bytes = encoded[found].flatMap { Data(base64Encoded: $0) } ?? Data()
        return (found, Array(bytes))
    }
}
