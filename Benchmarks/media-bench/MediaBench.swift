import BenchProcess
import Glibc
import LinuxIO

/// The benchmark of the transcoder: it compares images with libvips, and videos with `ffmpeg` and `ffmpegthumbnailer`.
///
/// For images, both sides are warm processes that create thumbnails of the same file in turns, because other work on
/// the machine affects both. Our side is this program again, started with `--worker` and prepared like the daemon's
/// worker. The side of libvips is `Peers/vips-thumbnail.c`, which is in the directory of this program or in `--peers`.
/// Each output is compared with the whole image, which libvips scales without any shortcut. In the group `videos`, a
/// worker in its sandbox takes turns with programs that are started for each file.
///
/// The results are rows on standard output, and pages if `--results` names a file. A missing program or fixture, and a
/// worker that fails, end the run with status 1. All work of the benchmark runs on the main thread, which waits for the
/// child processes. A user cancels the run with ^C.
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
            Console.warn("media-bench: \(error)")
            exit(1)
        }
    }
}
