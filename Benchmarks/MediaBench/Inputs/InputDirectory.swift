import BenchProcess
import ImageQuality
import LinuxIO

/// The files that renditions are made of. Each is made when it is first asked for: pictures with libvips' own tools from
/// one picture, videos with FFmpeg's program.
final class InputDirectory {
    let directory: String
    let fixtures: String
    private let vips = VipsTool()

    /// - Parameters:
    ///   - folder: of its own.
    ///   - fixtures: the project's.
    init(in directory: String, fixtures: String) {
        self.directory = directory
        self.fixtures = fixtures
    }

    func path(of picture: InputImage) throws -> String {
        let path = "\(directory)/\(picture.rawValue)"
        if !FileSystem.isRegularFile(path) { try make(picture, path) }
        return path
    }

    /// What has been made, and how large it is.
    var sizes: String {
        let names = InputImage.allCases.map(\.rawValue) + InputVideo.allCases.map(\.rawValue)
        let made = names.compactMap { name in
            FileSystem.size(of: "\(directory)/\(name)").map { "\(name) \($0 / 1_000) kB" }
        }
        return made.joined(separator: ", ")
    }

    private func make(_ picture: InputImage, _ path: String) throws {
        switch picture {
        // With halved colour differences, as phones store them; libvips would not at this quality.
        case .baseline: try vips.run("jpegsave", leaves(), path, "--Q", "90", "--subsample-mode", "on")
        case .progressive:
            try vips.run("jpegsave", leaves(), path, "--Q", "90", "--subsample-mode", "on", "--interlace")
        // What encoding costs is not measured here: the least effort does.
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

    /// The picture of which all others are made.
    private func leaves() throws -> String {
        let path = directory + "/leaves.ppm"
        if !FileSystem.isRegularFile(path) {
            let picture = DeadLeaves(width: 4_000, height: 3_000, seed: 1).drawn()
            try FileSystem.write(picture.file, toFile: path)
        }
        return path
    }

    private func halvedLeaves() throws -> String {
        let path = directory + "/halved.ppm"
        if !FileSystem.isRegularFile(path) { try vips.run("resize", leaves(), path, "0.5") }
        return path
    }

    /// A view that moves over the picture: every pixel changes each time.
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
