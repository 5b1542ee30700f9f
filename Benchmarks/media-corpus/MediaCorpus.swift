import ArgumentParser
import BenchProcess
import Glibc
import NotificationModel

/// The program that runs a directory of media through the daemon's own workers, and reports the results by type.
///
/// The directory may have files with any name and any content. Each regular file goes through a `TranscodePool` like a
/// fetched media item, and is decoded inside the worker's sandbox. `scripts/picture-oracle` describes the file and its
/// renditions as Pillow decodes them. `ImageComparison` reports their differences, without a decoder of this project.
///
/// The report is a table by type, and a line of JSON for each file if `--report` names a file. Symbolic links are not
/// followed. Invalid arguments end the program with status 2, and errors in renditions end it with status 1. One task
/// per processor processes one file at a time on the cooperative pool. A user cancels the run with ^C.
@main
struct MediaCorpus: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "media-corpus",
        abstract: "Runs a folder of media through the workers, and compares what they make with what Pillow sees.",
        discussion: """
            The table has a line for each type, which the first bytes decide:

              shown      renditions that look as the source does to Pillow
              unjudged   renditions of what Pillow cannot read, as videos, and of damaged pictures
              refused    neither we nor Pillow can show it
              elsewhere  refused, though Pillow shows it: docs/reference/media.md says
                         what is not made
              wrong      renditions that look otherwise, or a worker that ended

            Times are of a whole job, as a caller waits for it. Memory is the
            highest mark of a worker, with the file that it reads. Ends 0 when
            nothing is wrong, 1 when something is, 2 after wrong usage.

            Damaged copies (--mutations) must end within 5 s and 256 MB, with
            renditions or a reason. If Pillow sees an image in such a copy, and
            the worker reports no damage, the renditions must look the same.
            Each end of a worker is listed, with the signal or the name of the
            forbidden call.
            """)

    @Argument(help: "The folder. Symbolic links in it are not followed.")
    var directory: String

    @Option(help: "For whom: \(MediaProfile.all.map(\.name).joined(separator: ", ")).")
    var profile = MediaProfile.ios.name

    @Option(help: "A Python that has Pillow and pillow-heif; scripts/setup corpus makes the standard one.")
    var python = ".build/oracle/bin/python3"

    @Option(help: "The oracle.")
    var oracle = "scripts/picture-oracle"

    @Option(help: "The worker. Standard: the one beside this program.")
    var worker: String?

    @Option(help: "A file that gets a line of JSON for each file.")
    var report: String?

    @Option(help: "No more files than this.")
    var most = 100_000

    @Option(help: "Also run damaged copies of the files, as many as this of each type.")
    var mutations = 0

    @Option(help: "A directory for the damaged copies that are shown unlike the oracle sees them.")
    var findings: String?

    @Option(help: "The number that chooses the damages.")
    var seed = 2_026

    mutating func validate() throws {
        guard MediaProfile.named(profile) != nil else {
            throw ValidationError(
                "'\(profile)' is not a profile; write one of: \(MediaProfile.all.map(\.name).joined(separator: ", "))")
        }
        guard most > 0 else { throw ValidationError("--most must be a number from 1") }
        guard mutations >= 0 else { throw ValidationError("--mutations must be a number from 0") }
    }

    func run() async throws {
        let summary = try await CorpusRun(self).run()
        Console.say(summary.text)
        if summary.hasWrong { throw ExitCode(1) }
    }

    static func main() async {
        signal(SIGPIPE, SIG_IGN)
        do {
            try await parse().run()
        } catch let failure as BenchFailure {
            Console.warn("media-corpus: \(failure)")
            Glibc.exit(2)
        } catch {
            let code = exitCode(for: error)
            if code == .success { Console.say(fullMessage(for: error)) }
            if code == .validationFailure { Console.warn(fullMessage(for: error)) }
            Glibc.exit(code == .validationFailure ? 2 : code.rawValue)
        }
    }
}
