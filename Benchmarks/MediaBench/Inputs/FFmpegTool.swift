import BenchProcess

/// FFmpeg's program.
struct FFmpegTool {
    static let executable = "/usr/bin/ffmpeg"
    /// Options for a program that nobody watches. An existing output is replaced.
    static let quiet = ["-v", "error", "-nostdin", "-y"]

    func run(_ words: String...) throws { _ = try MeasuredProcess(Self.executable, Self.quiet + words).end() }
}
