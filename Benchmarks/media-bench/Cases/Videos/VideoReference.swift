import BenchProcess
import BenchReport
import LinuxIO

/// The source of a video, with which renditions are compared. FFmpeg scales each of its frames with Lanczos.
struct VideoReference {
    let source: String
    let directory: String

    /// Returns the mean SSIM of all frames, of the luma, by FFmpeg's filter `ssim`. Frames with the same number are
    /// compared, independent of their times.
    func similarity(of path: String, width: Int, height: Int) throws -> Double {
        let statistics = directory + "/ssim.txt"
        let count = "settb=1/25,setpts=N"
        try FFmpegTool().run(
            "-i", path, "-i", source, "-filter_complex",
            "[0:v]\(count)[made];[1:v]scale=\(width):\(height):flags=lanczos+accurate_rnd,format=yuv420p,\(count)[source];"
                + "[made][source]ssim=stats_file=\(statistics)",
            "-f", "null", "-")
        let lines = String(decoding: try FileSystem.contents(of: statistics), as: UTF8.self).split(separator: "\n")
        let values = lines.compactMap { line in
            line.split(separator: " ").first { $0.hasPrefix("Y:") }.flatMap { Double($0.dropFirst(2)) }
        }
        guard !values.isEmpty else { throw BenchFailure("\(path) has no frame to compare") }
        return values.reduce(0, +) / Double(values.count)
    }
}
