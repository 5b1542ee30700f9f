import Base
import LinuxIO

/// The checks of the kernel's features. The check `worker: sandbox` reports which of them a worker really uses.
enum KernelChecks {
    static func seccomp() -> Answer {
        answer(KernelFeatures.checkSeccomp, lack: "the system calls of decoders cannot be limited") {
            let actions = FileSystem.firstLine(of: "/proc/sys/kernel/seccomp/actions_avail")
            return "the kernel can filter system calls" + (actions.map { " (\($0))" } ?? "")
        }
    }

    static func landlock() -> Answer {
        do throws(SystemError) {
            let version = try KernelFeatures.landlockVersion()
            return .ok("the kernel can deny access to files (Landlock, interface version \(version))")
        } catch {
            return .ok("the kernel has no Landlock (\(error.reason)); the system call filter forbids files, too")
        }
    }

    static func processDescriptors() -> Answer {
        do throws(SystemError) {
            try KernelFeatures.checkProcessDescriptors()
            return .ok("workers are killed by their pidfd, never by their number")
        } catch {
            let remedy = "Run on Linux 5.4 or later, or permit pidfd_open in the container."
            return .failed("pidfd_open: \(error.reason)", remedy: remedy)
        }
    }

    static func memoryFiles() -> Answer {
        answer(KernelFeatures.checkMemoryFiles, lack: "sources cannot be sealed in memory") {
            "files in memory can be created and sealed"
        }
    }

    static func clock() -> Answer {
        let resolution = ContinuousClock().minimumResolution
        let source = FileSystem.firstLine(of: "/sys/devices/system/clocksource/clocksource0/current_clocksource")
        let ticks = Int((resolution.milliseconds * 1e6).rounded())
        return .ok(
            "steady, ticks of \(ticks) ns\(source.map { ", source \($0)" } ?? "")", if: resolution <= .milliseconds(1),
            else: "Enable high-resolution timers (kernel option highres=on): deadlines need them.")
    }

    /// Returns a warning if the kernel lacks a feature, because the program also works without it.
    private static func answer(_ ask: () throws(SystemError) -> Void, lack: String, found: () -> String) -> Answer {
        do throws(SystemError) {
            try ask()
            return .ok(found())
        } catch {
            return .warning(
                "\(lack): \(error)", remedy: "Run on a kernel that has this feature, or permit it in the container.")
        }
    }
}
