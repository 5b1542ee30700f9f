import LinuxIO

/// The programs that are installed together. All of them are in the same directory.
package enum Installation {
    package static let version = "0.1.0"

    /// The name of the worker.
    package static let worker = "appgroupd-transcode"

    /// Returns the path of a program in the directory of the running program.
    ///
    /// - Throws: A failure with status 2 if the program is not installed.
    package static func path(of program: String) throws(CommandFailure) -> String {
        let own: String
        do throws(SystemError) { own = try FileSystem.currentExecutable() } catch {
            throw CommandFailure(.failed, "the program cannot find its own path: \(error): check that /proc is mounted")
        }
        let directory = own[..<(own.lastIndex(of: "/") ?? own.startIndex)]
        let path = "\(directory)/\(program)"
        guard FileSystem.isExecutable(path) else {
            throw CommandFailure(.usage, "\(path) is missing: install \(program) beside appgroupd")
        }
        return path
    }
}
