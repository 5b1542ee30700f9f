import BenchProcess
import ImageQuality
import LinuxIO

/// What a thumbnail should look like: the whole picture, decoded in full, turned upright, and scaled by libvips with
/// Lanczos of three lobes in one step. Thumbnails are compared with it in luma.
struct ImageReference {
    private let luma: LumaPlane
    private let directory: String
    private let vips = VipsTool()

    /// - Parameters:
    ///   - size: of the thumbnails, upright.
    ///   - folder: for files in between.
    init(of input: String, width: Int, height: Int, in directory: String) throws {
        self.directory = directory
        let (upright, scaled) = (directory + "/upright.ppm", directory + "/reference.ppm")
        try vips.run("autorot", input, upright)
        let whole = try Self.pixmap(upright)
        // Without a gap nothing is shrunk by whole factors before.
        try vips.run(
            "resize", upright, scaled, "\(Double(width) / Double(whole.width))", "--vscale",
            "\(Double(height) / Double(whole.height))", "--kernel", "lanczos3", "--gap", "0")
        luma = try Self.pixmap(scaled).luma
    }

    /// The SSIM of an encoded thumbnail.
    func similarity(of path: String) throws -> Double {
        let decoded = directory + "/decoded.ppm"
        try vips.run("copy", path, decoded)
        guard let similarity = StructuralSimilarity.mean(try Self.pixmap(decoded).luma, luma) else {
            throw BenchFailure("\(path) is not of the reference's size, \(luma.width)×\(luma.height)")
        }
        return similarity
    }

    /// The SSIM of the reference itself, once it is a JPEG of that quality: no thumbnail of the same one is much more
    /// like it.
    ///
    /// - Parameter quality: libjpeg's, 1…100.
    func similarityOfJPEG(quality: Int) throws -> Double {
        let coded = directory + "/reference.jpg"
        try vips.run("jpegsave", directory + "/reference.ppm", coded, "--Q", "\(quality)")
        return try similarity(of: coded)
    }

    private static func pixmap(_ path: String) throws -> PortablePixmap {
        guard let pixmap = PortablePixmap(file: try FileSystem.contents(of: path)) else {
            throw BenchFailure("\(path) is no PPM of eight bits")
        }
        return pixmap
    }
}
