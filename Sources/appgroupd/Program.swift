import FeatureKit
import LinuxIO

/// The entry point of `appgroupd`, which is the daemon and the command line for all tasks.
@main
enum Program {
    static func main() async {
        await CommandRunner.main(Appgroupd.self) { command in
            if command is any LabProgramCommand { try executeLabProgram() }
            try await CommandRunner.perform(command)
        }
    }

    /// Replaces this program with the program of the laboratory, which parses the same arguments again. The daemon
    /// contains the laboratory's command line, but not the code of its commands.
    ///
    /// - Throws: A failure with status 2 if the program is not installed.
    private static func executeLabProgram() throws(CommandFailure) -> Never {
        let path = try Installation.path(of: "appgroupd-lab")
        let error = ProcessImage.replace(with: path, arguments: CommandLine.arguments)
        throw CommandFailure(.failed, "\(path) cannot be started: \(error.reason)")
    }
}
