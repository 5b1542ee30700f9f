import Glibc
import JSON
import LinuxIO
import NotificationModel

/// What the worker tells of itself. The daemon links no FFmpeg, so nobody else can.
enum WorkerChecks {
    static func libraries() -> DoctorCheck.Answer {
        answer { worker in
            let libraries = worker["libraries"]?.array ?? []
            let words = libraries.map { "\($0["name"]?.string ?? "?") \($0["version"]?.string ?? "?")" }
            let found = "FFmpeg \(worker["ffmpeg"]?.string ?? "of unknown version"): \(words.joined(separator: ", "))"
            // A structure may have grown in a later minor version, and in a major one become another.
            let older = libraries.filter { Self.isOlder($0["version"]?.string, than: $0["builtAgainst"]?.string) }
            guard older.isEmpty else {
                let names = older.compactMap { $0["name"]?.string }.joined(separator: " and ")
                return .warning(
                    "\(found); \(names) older than what the worker was built against",
                    mend: "Install the FFmpeg libraries that this package was built for.")
            }
            return .ok(found)
        }
    }

    static func formats() -> DoctorCheck.Answer {
        answer { worker in
            var missing: [String] = []
            var present: [String] = []
            for kind in ["demuxers", "muxers", "decoders", "encoders"] {
                let members = worker[kind]?.object?.members ?? []
                guard !members.isEmpty else { return unreadable("it names no \(kind)") }
                missing += members.filter { $0.value.bool != true }.map { "\(kind.dropLast()) \($0.key)" }
                present.append("\(kind) \(members.filter { $0.value.bool == true }.map(\.key).joined(separator: " "))")
            }
            guard missing.isEmpty else {
                return .failed(
                    "FFmpeg lacks \(missing.joined(separator: ", "))",
                    mend: "Install an FFmpeg with them (Debian: libavcodec59, libavformat59).")
            }
            return .ok(present.joined(separator: "; "))
        }
    }

    static func walls() -> DoctorCheck.Answer {
        answer { worker in
            let walls = worker["walls"]
            var standing: [String] = []
            var missing: [String] = []
            func check(_ name: String, _ stands: Bool) {
                if stands { standing.append(name) } else { missing.append(name) }
            }
            check("no new privileges", walls["noNewPrivileges"] == true)
            check("bounded heap", walls["dataBytes"]?.integer != nil)
            check("bounded files", walls["fileBytes"]?.integer != nil)
            check("bounded descriptors", walls["openFiles"]?.integer != nil)
            check("no core dumps", walls["coreBytes"]?.integer == 0)
            check("no further processes", walls["processes"]?.integer == 0)
            guard missing.isEmpty else {
                return .failed(
                    "the worker runs without: \(missing.joined(separator: ", "))",
                    mend: "Start the program where a process may lower its own limits (setrlimit, prctl).")
            }
            // Told as it is; nobody who runs the program can do anything about it.
            let hasFilter = walls["seccomp"] == true
            return .ok(
                "standing: \(standing.joined(separator: ", "))\(hasFilter ? ", system calls filtered" : "")"
                    + "; not used yet: \(hasFilter ? "" : "seccomp, ")Landlock")
        }
    }

    // MARK: Asking

    private static func answer(_ look: (JSONValue) -> DoctorCheck.Answer) -> DoctorCheck.Answer {
        do throws(CommandFailure) {
            let path = try WorkerExecutable.path()
            do { return look(try description(of: path)) } catch { return unreadable("\(error)") }
        } catch {
            return .failed(
                error.message ?? "the worker is missing", mend: "Install \(WorkerExecutable.name) beside appgroupd.")
        }
    }

    private static func unreadable(_ why: String) -> DoctorCheck.Answer {
        .failed(
            "the worker does not describe itself: \(why)",
            mend: "Run '\(WorkerExecutable.name) --describe' to see why; install both programs from one package.")
    }

    private static func description(of path: String) throws -> JSONValue {
        let pair = try MessageSocket.pair()
        let child = try ChildProcess.spawn(
            path, arguments: ["--describe"], environment: ["SWIFT_BACKTRACE=enable=no"],
            inheriting: pair.child.descriptor.raw)
        let socket = pair.takeParent()
        // Kept until here, because the child dies with its owner.
        defer { child.kill() }
        guard let message = try socket.receive(upTo: 1 << 16, within: .seconds(10)) else {
            throw SystemError("the worker ended without a word", errno: EPIPE)
        }
        return try JSONParser.value(of: message.bytes)
    }

    private static func isOlder(_ version: String?, than other: String?) -> Bool {
        func numbers(_ text: String?) -> [Int] { (text ?? "").split(separator: ".").compactMap { Int($0) } }
        return numbers(version).lexicographicallyPrecedes(numbers(other))
    }
}
