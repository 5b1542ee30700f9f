import BenchProcess
import ImageQuality
import LinuxIO

/// The input files of the benchmark. Each file is created at its first use. libvips' tools create the images from one
/// image, and FFmpeg creates the videos.
final class InputDirectory {
    let directory: String
    let fixtures: String
    private let vips = VipsTool()

    /// - Parameter directory: A directory that no other component uses.
    /// - Parameter fixtures: The fixtures of the project.
    init(in directory: String, fixtures: String) {
        self.directory = directory
        self.fixtures = fixtures
    }

    func path(of image: InputImage) throws -> String {
        let path = "\(directory)/\(image.rawValue)"
        if !FileSystem.isRegularFile(path) { try make(image, path) }
        return path
    }

    /// The names and sizes of the files that were created.
    var sizes: String {
        let names = InputImage.allCases.map(\.rawValue) + InputVideo.allCases.map(\.rawValue)
        let made = names.compactMap { name in
            FileSystem.size(of: "\(directory)/\(name)").map { "\(name) \($0 / 1_000) kB" }
        }
        return made.joined(separator: ", ")
    }

    private func make(_ image: InputImage, _ path: String) throws {
        switch image {
        // The chroma is subsampled, as in files of phones. libvips would not subsample it at this quality.
        case .baseline: try vips.run("jpegsave", leaves(), path, "--Q", "90", "--subsample-mode", "on")
        case .progressive:
            try vips.run("jpegsave", leaves(), path, "--Q", "90", "--subsample-mode", "on", "--interlace")
        // The time for encoding the input is not measured, so the lowest effort is sufficient.
        case .avif: try vips.run("heifsave", leaves(), path, "--compression", "av1", "--Q", "60", "--effort", "0")
        case .heic: try vips.run("heifsave", leaves(), path, "--Q", "60", "--effort", "0")
        case .png: try vips.run("pngsave", halvedLeaves(), path)
        case .webp: try vips.run("webpsave", halvedLeaves(), path, "--Q", "80")
        case .gif: try makeAnimation(path)
        case .photo:
            let bytes = try FileSystem.contents(of: fixtures + "/media/photo-12mp.jpg")
            try FileSystem.write(bytes, toFile: path)
        }
    }

    /// Returns the path of the image from which all others are created.
    private func leaves() throws -> String {
        let path = directory + "/leaves.ppm"
        if !FileSystem.isRegularFile(path) {
            let image = DeadLeaves(width: 4_000, height: 3_000, seed: 1).drawn()
            try FileSystem.write(image.file, toFile: path)
        }
        return path
    }

    private func halvedLeaves() throws -> String {
        let path = directory + "/halved.ppm"
        if !FileSystem.isRegularFile(path) { try vips.run("resize", leaves(), path, "0.5") }
        return path
    }

    /// Creates an animation whose view moves over the image, so that all pixels change in each frame.
    private func makeAnimation(_ path: String) throws {
        let halved = try halvedLeaves()
        let views = (0..<24).map { "\(directory)/view-\($0).ppm" }
        for (index, view) in views.enumerated() {
            try vips.run("crop", halved, view, "\(index * 20)", "\(index * 10)", "1000", "750")
        }
        let strip = directory + "/views.ppm"
        try vips.run("arrayjoin", views.joined(separator: " "), strip, "--across", "1")
        try vips.run("gifsave", strip, path, "--page-height", "750", "--effort", "1")
        for file in views + [strip] { try FileSystem.remove(file) }
    }
}
