/// Small files that the laboratory serves if a scenario names no file of its own.
///
/// The build embeds the files of this directory in the program, so that a laboratory without the project has them. They were
/// made with FFmpeg from its test sources `testsrc`, `testsrc2`, `mandelbrot` and `sine`.
package enum SampleMedia {
    private static let files: [String: [UInt8]] = [
        "jpg": PackageResources.sample_jpg, "png": PackageResources.sample_png, "gif": PackageResources.sample_gif,
        "webp": PackageResources.sample_webp, "heic": PackageResources.sample_heic,
        "avif": PackageResources.sample_avif, "mp4": PackageResources.sample_mp4, "m4a": PackageResources.sample_m4a,
        "mp3": PackageResources.sample_mp3,
    ]
    private static let others = ["jpeg": "jpg", "heif": "heic", "mov": "mp4", "m4v": "mp4", "aac": "m4a"]

    /// The extensions for which there is a sample.
    package static var extensions: [String] { files.keys.sorted() }

    /// Returns a sample for the extension of a path, and the extension of the sample. A path with another extension, or
    /// with none, gets a JPEG.
    package static func sample(for path: String) -> (extension: String, bytes: [UInt8]) {
        let name = path.split(separator: "/").last ?? ""
        let suffix = name.split(separator: ".").dropFirst().last.map { $0.lowercased() } ?? ""
        let wanted = others[suffix] ?? suffix
        return files[wanted].map { (wanted, $0) } ?? ("jpg", PackageResources.sample_jpg)
    }
}
