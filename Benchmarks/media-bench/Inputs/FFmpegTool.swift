import BenchProcess

/// The program `ffmpeg`, which creates inputs and references.
struct FFmpegTool {
    static let executable = "/usr/bin/ffmpeg"
    /// The options for a run without a user. An existing output is replaced.
    static let quiet = ["-v", "error", "-nostdin", "-y"]

    func run(_ words: String...) throws { _ = try MeasuredProcess(Self.executable, Self.quiet + words).end() }
}
