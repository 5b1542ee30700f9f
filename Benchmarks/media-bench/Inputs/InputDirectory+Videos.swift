import LinuxIO

extension InputDirectory {
    func path(of video: InputVideo) throws -> String {
        let path = "\(directory)/\(video.rawValue)"
        if !FileSystem.isRegularFile(path) { try make(video, path) }
        return path
    }

    private func make(_ video: InputVideo, _ path: String) throws {
        let fixture = fixtures + "/media/video-1080p.mp4"
        let ffmpeg = FFmpegTool()
        switch video {
        case .clip:
            try ffmpeg.run(
                "-stream_loop", "2", "-i", fixture, "-t", "10", "-vf", "noise=alls=6:allf=t", "-c:v", "libx264",
                "-preset", "veryfast", "-profile:v", "high", "-b:v", "11M", "-g", "30", "-c:a", "copy", path)
        case .everyday: try FileSystem.write(try FileSystem.contents(of: fixture), toFile: path)
        case .animation:
            try ffmpeg.run(
                "-i", fixture, "-vf",
                "fps=20,scale=640:-2:flags=lanczos,split[a][b];[a]palettegen[colors];[b][colors]paletteuse=dither=sierra2_4a",
                "-frames:v", "60", path)
        }
    }
}
