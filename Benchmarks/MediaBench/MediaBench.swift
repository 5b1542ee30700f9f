import BenchProcess
import Glibc
import LinuxIO

/// Measures the transcoder's pictures against libvips, and its videos against `ffmpeg` and `ffmpegthumbnailer`, in one
/// run.
///
/// For pictures, both sides are warm processes that make thumbnails of the same file in turns, round by round: the
/// machine may be busy with other things, and both meet the same. Ours is this program again, started as `--worker` and
/// prepared as the daemon's worker is; libvips is `Peers/vips-thumbnail.c`, which stands beside this program or in
/// `--peers`. What comes out is compared with the whole picture scaled by libvips without any shortcut.
///
/// In the group `videos`, a worker in its sandbox takes turns with programs that are started for each file.
///
///     media-bench [--quick] [--rounds N] [--only jpeg,progressive,png,gif,avif,heic,webp,renditions,sandbox,
///                 processes,videos]
///                 [--fixtures FOLDER] [--peers FOLDER] [--results FILE]
@main
struct MediaBench {
    private static let vocabulary = Arguments.Vocabulary(
        flags: ["quick", "sandboxed", "worker"],
        names: [
            "fixtures", "format", "input", "job", "only", "outputs", "peers", "quality", "results", "rounds", "sides",
        ])

    static func main() {
        do {
            let arguments = try Arguments(CommandLine.arguments.dropFirst(), of: vocabulary)
            if arguments["worker"] != nil {
                try TranscodeWorker(arguments).run()
            } else {
                try BenchRun(arguments).run()
            }
        } catch {
            Console.complain("media-bench: \(error)")
            exit(1)
        }
    }
}
