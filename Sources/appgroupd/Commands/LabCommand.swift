import ArgumentParser

struct LabCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lab",
        abstract: "The timeout laboratory: see what happens to a push when its media misbehave.",
        subcommands: [LabServeCommand.self, LabProxyCommand.self, LabDemoCommand.self, LabBenchCommand.self])
}
