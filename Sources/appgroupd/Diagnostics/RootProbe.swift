import Base
import LinuxIO

/// A probe of the root's file system, which creates files in the root. A root that does not exist is not created.
struct RootProbe: Sendable {
    /// The duration of a durable write above which the disk delays requests more than the network.
    private static let slow = Duration.milliseconds(100)

    let root: String

    func namelessFiles() -> Answer {
        answer { probe throws(SystemError) in
            try probe.namelessFileGetsName()
                ? .ok("files have no name until they are complete (O_TMPFILE)")
                : .warning(
                    "the file system does not support files without a name, so files are copied once more",
                    remedy: "Put the root on ext4, xfs or btrfs.")
        }
    }

    func linksAndMoves() -> Answer {
        answer { probe throws(SystemError) in
            try probe.linkAndMove()
            return .ok("hard links and moves between directories work")
        }
    }

    func durableWrites() -> Answer {
        answer { probe throws(SystemError) in
            let time = try probe.durableWriteTime(of: 5)
            return .ok(
                "a durable file takes \(time.milliseconds.roundedToTenths) ms (median of 5)", if: time < Self.slow,
                else: "Put the root on a faster disk: every accepted request waits for one sync.")
        }
    }

    private func answer(_ look: (borrowing FileSystemProbe) throws(SystemError) -> Answer) -> Answer {
        guard (try? FileSystemInfo.of(root)) != nil else { return .ok("not tried: the root does not exist yet") }
        do throws(SystemError) { return try look(try FileSystemProbe.begin(in: root)) } catch {
            return .failed("\(error)", remedy: "Put the root on a local disk file system that this user can write to.")
        }
    }
}
