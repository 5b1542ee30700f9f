import LinuxIO

/// Where the worker is: beside this program.
enum WorkerExecutable {
    static let name = "appgroupd-transcode"

    static func path() throws(CommandFailure) -> String {
        let own: String
        do throws(SystemError) { own = try FileSystem.currentExecutable() } catch {
            throw CommandFailure(.failed, "the program does not find itself: \(error): is /proc mounted?")
        }
        let folder = own[..<(own.lastIndex(of: "/") ?? own.startIndex)]
        let path = "\(folder)/\(name)"
        guard FileSystem.isExecutable(path) else {
            throw CommandFailure(.usage, "\(path) is missing: install \(name) beside appgroupd")
        }
        return path
    }
}
