import ArgumentParser
import FeatureKit

/// The program of the laboratory. `appgroupd` parses each `lab` command, and replaces itself with this program. The
/// program gets the same arguments, and parses them again.
@main
enum LabProgram {
    static func main() async {
        await CommandRunner.main(Root.self) { command in
            guard let command = command as? any PerformableCommand else {
                return try await CommandRunner.perform(command)
            }
            try await command.perform()
        }
    }

    /// The command line of `appgroupd`, without the commands of the daemon.
    private struct Root: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "appgroupd", subcommands: [LabCommand.self])
    }
}

/// A command of the laboratory, with its code.
protocol PerformableCommand: LabProgramCommand {
    func perform() async throws
}
