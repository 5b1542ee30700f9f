import ArgumentParser
import BenchProcess
import Glibc
import NotificationModel

/// Runs a folder of media through the daemon's own workers, and says by type what became of them.
///
/// What comes in: any folder; its files may have any name and hold anything. Each regular file below it goes through a
/// `TranscodePool` as a fetched medium does, inside the worker's sandbox. `scripts/picture-oracle` says what Pillow
/// sees in the file and in what was made of it, and `ImageComparison` says where these are not alike: no decoder of
/// ours has a word in it. So many files are judged at a time as there are processors.
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
              elsewhere  refused, though Pillow shows it: docs/media.md says
                         what is not made
              wrong      renditions that look otherwise, or a worker that ended

            Times are of a whole job, as a caller waits for it. Memory is the
            highest mark of a worker, with the file that it reads. Ends 0 when
            nothing is wrong, 1 when something is, 2 when called wrongly.

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
                "'\(profile)' is no profile; they are: \(MediaProfile.all.map(\.name).joined(separator: ", "))")
        }
        guard most > 0 else { throw ValidationError("--most is a number from 1") }
        guard mutations >= 0 else { throw ValidationError("--mutations is a number from 0") }
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
            Console.complain("media-corpus: \(failure)")
            Glibc.exit(2)
        } catch {
            let code = exitCode(for: error)
            if code == .success { Console.say(fullMessage(for: error)) }
            if code == .validationFailure { Console.complain(fullMessage(for: error)) }
            Glibc.exit(code == .validationFailure ? 2 : code.rawValue)
        }
    }
}
