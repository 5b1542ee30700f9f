/// The command of another program that creates the same file as a job of the worker.
struct VideoPeer {
    /// The name of the program for people.
    let name: String
    let executable: String
    let words: [String]

    static let thumbnailer = "/usr/bin/ffmpegthumbnailer"

    /// Creates the command; `nil` for a case that is not compared with a program.
    ///
    /// - Parameter size: The width and height of the worker's rendition, in pixels.
    /// - Parameter settings: x264's settings of the worker's rendition; `nil` if x264 did not encode it.
    init?(
        of job: VideoCase, input: String, output: String, size: (width: Int, height: Int), settings: X264Settings?
    ) {
        let encoding = Self.encoding(settings)
        let scale = "scale=\(size.width):\(size.height)"
        switch job {
        case .poster:
            name = "ffmpegthumbnailer"
            executable = Self.thumbnailer
            words = ["-i", input, "-o", output, "-s", "\(max(size.width, size.height))"]
            return
        case .remux: words = Self.ffmpeg(input, ["-c", "copy"], output)
        case .transcode:
            // Both sides copy the sound, which is AAC.
            words = Self.ffmpeg(
                input, ["-filter_threads", "1", "-vf", scale + ":flags=bicubic"] + encoding + ["-c:a", "copy"], output)
        case .animation:
            let flags = "lanczos+accurate_rnd+full_chroma_int+full_chroma_inp"
            words = Self.ffmpeg(
                input, ["-filter_threads", "1", "-vf", "\(scale):flags=\(flags),format=yuv420p"] + encoding, output)
        case .everyday: return nil
        }
        name = "ffmpeg"
        executable = FFmpegTool.executable
    }

    /// Returns the arguments with one thread for the decoder and one for the encoder, which take turns. The index
    /// precedes the other bytes of the file.
    private static func ffmpeg(_ input: String, _ work: [String], _ output: String) -> [String] {
        FFmpegTool.quiet + ["-threads", "1", "-i", input] + work
            + ["-threads", "1", "-movflags", "+faststart", "-map_metadata", "-1", output]
    }

    /// Returns the worker's options of libx264. Options whose values depend on the file are those of the worker's
    /// rendition.
    private static func encoding(_ settings: X264Settings?) -> [String] {
        guard let settings else { return [] }
        let options = [
            ("-crf", settings["crf"]), ("-bf", settings["bframes"]), ("-keyint_min", settings["keyint_min"]),
            ("-maxrate", settings["vbv_maxrate"].map { $0 + "k" }),
            ("-bufsize", settings["vbv_bufsize"].map { $0 + "k" }),
        ]
        return ["-c:v", "libx264", "-preset", "veryfast", "-profile:v", "high"]
            + options.flatMap { name, value in value.map { [name, $0] } ?? [] }
    }
}
