import LinuxIO
import NotificationModel

/// The features of this kernel. `worker: sandbox` says what a worker really has of them.
enum KernelChecks {
    static func seccomp() -> DoctorCheck.Answer {
        answer(KernelFeatures.checkSeccomp, lack: "decoders cannot be kept from system calls") {
            let actions = (try? FileSystem.contents(of: "/proc/sys/kernel/seccomp/actions_avail")).map(LimitChecks.line)
            return "the kernel can filter system calls" + (actions.map { " (\($0))" } ?? "")
        }
    }

    static func landlock() -> DoctorCheck.Answer {
        do throws(SystemError) {
            let version = try KernelFeatures.landlockVersion()
            return .ok("the kernel can forbid files (Landlock, interface version \(version))")
        } catch {
            return .ok("the kernel has no Landlock (\(error.reason)); the filter of system calls forbids files, too")
        }
    }

    static func processDescriptors() -> DoctorCheck.Answer {
        do throws(SystemError) {
            try KernelFeatures.checkProcessDescriptors()
            return .ok("workers are ended by descriptor, never by number")
        } catch {
            return .failed(
                "pidfd_open: \(error.reason)",
                mend: "Run on Linux 5.4 or later, or let the container permit pidfd_open.")
        }
    }

    static func memoryFiles() -> DoctorCheck.Answer {
        answer(KernelFeatures.checkMemoryFiles, lack: "sources cannot be sealed in memory") {
            "files in memory can be made and sealed"
        }
    }

    static func clock() -> DoctorCheck.Answer {
        let resolution = ContinuousClock().minimumResolution
        let source = (try? FileSystem.contents(of: "/sys/devices/system/clocksource/clocksource0/current_clocksource"))
            .map(LimitChecks.line)
        let found =
            "steady, ticks of \(Int((resolution.milliseconds * 1e6).rounded())) ns"
            + (source.map { ", source \($0)" } ?? "")
        guard resolution <= .milliseconds(1) else {
            return .warning(
                found,
                mend: "Enable high-resolution timers (kernel option highres=on): deadlines are kept to the clock.")
        }
        return .ok(found)
    }

    /// A lack is a warning: the program does without.
    private static func answer(
        _ ask: () throws(SystemError) -> Void, lack: String, found: () -> String
    ) -> DoctorCheck.Answer {
        do throws(SystemError) {
            try ask()
            return .ok(found())
        } catch {
            return .warning("\(lack): \(error)", mend: "Run on a kernel that has it, or let the container permit it.")
        }
    }
}
