import BenchProcess
import ImageQuality
import LinuxIO

/// The reference of a thumbnail: the whole image, fully decoded and turned upright. libvips scales the image in one
/// step, with a Lanczos kernel of three lobes. Thumbnails are compared with the reference in luma.
struct ImageReference {
    private let luma: LumaPlane
    private let directory: String
    private let vips = VipsTool()

    /// - Parameter width: The width of the thumbnails, after orientation.
    /// - Parameter height: The height of the thumbnails, after orientation.
    /// - Parameter directory: A directory for temporary files.
    init(of input: String, width: Int, height: Int, in directory: String) throws {
        self.directory = directory
        let (upright, scaled) = (directory + "/upright.ppm", directory + "/reference.ppm")
        try vips.run("autorot", input, upright)
        let whole = try Self.pixmap(upright)
        // With a gap of 0, libvips does not first shrink the image by whole factors.
        try vips.run(
            "resize", upright, scaled, "\(Double(width) / Double(whole.width))", "--vscale",
            "\(Double(height) / Double(whole.height))", "--kernel", "lanczos3", "--gap", "0")
        luma = try Self.pixmap(scaled).luma
    }

    /// Returns the SSIM of an encoded thumbnail.
    func similarity(of path: String) throws -> Double {
        let decoded = directory + "/decoded.ppm"
        try vips.run("copy", path, decoded)
        guard let similarity = StructuralSimilarity.mean(try Self.pixmap(decoded).luma, luma) else {
            throw BenchFailure("\(path) does not have the size of the reference, \(luma.width)×\(luma.height)")
        }
        return similarity
    }

    /// Returns the SSIM of the reference itself after it was coded as a JPEG of a quality. A thumbnail of the same
    /// quality can hardly be more similar.
    ///
    /// - Parameter quality: The quality on libjpeg's scale, 1…100.
    func similarityOfJPEG(quality: Int) throws -> Double {
        let coded = directory + "/reference.jpg"
        try vips.run("jpegsave", directory + "/reference.ppm", coded, "--Q", "\(quality)")
        return try similarity(of: coded)
    }

    private static func pixmap(_ path: String) throws -> PortablePixmap {
        guard let pixmap = PortablePixmap(file: try FileSystem.contents(of: path)) else {
            throw BenchFailure("\(path) is not a PPM of eight bits")
        }
        return pixmap
    }
}
