import Base
import FeatureKit
import LinuxIO
import NotificationModel
import Sandbox
import TranscodePool

/// The checks of the worker, from its own report. Only the worker links FFmpeg, so no other program can report it.
struct WorkerChecks: Sendable {
    /// The options with which a daemon of this configuration starts workers.
    let options: WorkerOptions

    func libraries() -> Answer {
        answer { inspection in
            let worker = inspection.description
            let libraries = worker["libraries"]?.array ?? []
            let words = libraries.map { "\($0["name"]?.string ?? "?") \($0["version"]?.string ?? "?")" }
            let found = "FFmpeg \(worker["ffmpeg"]?.string ?? "of unknown version"): \(words.joined(separator: ", "))"
            // A minor version may add members to a structure, and a major version may replace the structure.
            let older = libraries.filter { Self.isOlder($0["version"]?.string, than: $0["builtAgainst"]?.string) }
            guard older.isEmpty else {
                let names = older.compactMap { $0["name"]?.string }.joined(separator: " and ")
                return .warning(
                    "\(found); \(names) older than the version that the worker was built against",
                    remedy: "Install the FFmpeg libraries that this package was built for.")
            }
            return .ok(found)
        }
    }

    func formats() -> Answer {
        answer { inspection in
            let worker = inspection.description
            var (missing, present): ([String], [String]) = ([], [])
            for kind in ["demuxers", "muxers", "decoders", "encoders"] {
                let members = worker[kind]?.object?.members ?? []
                guard !members.isEmpty else { return Self.unreadable("it lists no \(kind)") }
                missing += members.filter { $0.value.bool != true }.map { "\(kind.dropLast()) \($0.key)" }
                present.append("\(kind) \(members.filter { $0.value.bool == true }.map(\.key).joined(separator: " "))")
            }
            guard missing.isEmpty else {
                return .failed(
                    "FFmpeg does not have \(missing.joined(separator: ", "))",
                    remedy: "Install an FFmpeg that has them (Debian: libavcodec59, libavformat59).")
            }
            return .ok(present.joined(separator: "; "))
        }
    }

    /// Reports each active layer of the sandbox, and each missing layer with the reason.
    func sandbox() -> Answer {
        answer { worker in
            guard let report = worker.sandbox else { return Self.unreadable("it does not report its sandbox") }
            func words(_ states: [LayerState]) -> String {
                states.map { "\($0.layer.name) (\($0.detail))" }.joined(separator: ", ")
            }
            let standing = "standing: \(words(report.layers.filter(\.stands)))"
            guard !report.missing.isEmpty else { return .ok(standing) }
            let found = "\(standing); missing: \(words(report.missing))"
            let remedy = report.missing.map { Self.remedy($0.layer) }.joined(separator: ". ") + "."
            return report.isUnsafe(for: options.requirement)
                ? .failed(found, remedy: remedy) : .warning(found, remedy: remedy)
        }
    }

    /// Reports the system calls that a decoder may make.
    func allowedCalls() -> Answer {
        answer { worker in
            guard let report = worker.sandbox else { return Self.unreadable("it does not report its sandbox") }
            guard !report.missing.contains(where: { $0.layer == .systemCalls }) else {
                return .failed(
                    "all calls, because the system call filter is not active", remedy: Self.remedy(.systemCalls) + ".")
            }
            return .ok("\(report.allowedCalls.count): \(report.allowedCalls.joined(separator: ", "))")
        }
    }

    /// A picture of two by two pixels, as a BMP.
    private static let picture: [UInt8] =
        [0x42, 0x4D, 70, 0, 0, 0, 0, 0, 0, 0, 54, 0, 0, 0, 40, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 1, 0, 24, 0]
        + [UInt8](repeating: 0, count: 24) + [255, 0, 0, 0, 255, 0, 0, 0, 0, 0, 255, 255, 255, 255, 0, 0]

    /// The directory of the nameless files of the job. The root may belong to another user.
    private static let scratch = "/tmp"

    /// Sends the picture to a worker, as the daemon sends media.
    func job() async -> Answer {
        do {
            let path = try Installation.path(of: Installation.worker)
            let pool = try TranscodePool(executable: path, options: options, size: 1)
            let began = MonotonicInstant.now
            let result = await transcode(by: pool)
            await pool.shutdown()
            switch result {
            case .success:
                return .ok("a picture was made in \(Int(began.duration(to: .now).milliseconds)) ms")
            case .failure(let failure):
                return .failed(failure.detail, remedy: "Install both programs from one package.")
            }
        } catch {
            let words = (error as? CommandFailure)?.message ?? "\(error)"
            return .failed("no picture can be made: \(words)", remedy: "Install both programs from one package.")
        }
    }

    private func transcode(by pool: TranscodePool) async -> Result<RenditionSet, MediaFailure> {
        do {
            let source = try AnonymousFile.create(in: Self.scratch)
            try FileSystem.write(Self.picture, to: source, at: 0)
            return await pool.transcode(
                TranscodeRequest(
                    source: FetchedMedia(
                        file: source, byteCount: Self.picture.count, declaredType: nil, identity: "doctor"),
                    form: MediaProfile.ios.attachment, options: AttachmentOptions(), deadline: .now + .seconds(10),
                    trace: StageTrace()
                ) { _ throws(MediaFailure) in
                    do throws(SystemError) { return try AnonymousFile.create(in: Self.scratch) } catch {
                        throw MediaFailure(.storageFailed, error.description)
                    }
                })
        } catch {
            return .failure(MediaFailure(.storageFailed, "\(error)"))
        }
    }

    private static func remedy(_ layer: SandboxLayer) -> String {
        switch layer {
        case .systemCalls:
            "Permit seccomp(2) in the supervisor, as the unit of this package does, on a kernel with "
                + "CONFIG_SECCOMP_FILTER"
        case .files:
            "Run on Linux 5.13 or later with landlock in its list of security modules (lsm=), and permit "
                + "landlock_create_ruleset and landlock_restrict_self in the supervisor"
        case .limits: "Start the program in an environment in which a process may lower its own limits (setrlimit)"
        case .privileges: "Start the program in an environment in which a process may set PR_SET_NO_NEW_PRIVS"
        case .capabilities: "Start the program in an environment in which a process may give up capabilities (capset)"
        case .user: "Run appgroupd as its own user, or give a daemon of root CAP_SETUID, CAP_SETGID and CAP_KILL"
        }
    }

    // MARK: Inspection

    private func answer(_ look: (WorkerInspection) -> Answer) -> Answer {
        do throws(CommandFailure) {
            let path = try Installation.path(of: Installation.worker)
            do { return look(try WorkerInspection.of(WorkerProgram(path), options)) } catch {
                return Self.unreadable("\(error)")
            }
        } catch {
            return .failed(
                error.message ?? "the worker is missing", remedy: "Install \(Installation.worker) beside appgroupd.")
        }
    }

    private static func unreadable(_ why: String) -> Answer {
        .failed(
            "the worker does not report its libraries: \(why)",
            remedy: "Run '\(Installation.worker) --describe' to see why; install both programs from one package.")
    }

    private static func isOlder(_ version: String?, than other: String?) -> Bool {
        func numbers(_ text: String?) -> [Int] { (text ?? "").split(separator: ".").compactMap { Int($0) } }
        return numbers(version).lexicographicallyPrecedes(numbers(other))
    }
}
