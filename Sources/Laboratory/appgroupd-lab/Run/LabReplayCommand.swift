import FeatureKit
import Features
import Foundation
import LinuxIO
import ServiceConfiguration

extension LabReplayCommand: PerformableCommand {
    func perform() async throws {
        let files = try places.map { place in
            FileSystem.isDirectory(place) || FileSystem.isRegularFile(place)
                ? place : try recordings.path(of: place, for: "lab replay")
        }
        try await ScenarioPlay(command: "lab replay", files: files, options: options).perform()
    }
}

extension RecordingOptions {
    /// Returns the path of the recording of a request.
    ///
    /// - Parameter command: The name of the command, for messages.
    func path(of id: String, for command: String) throws(CommandFailure) -> String {
        let folder = try place(for: command)
        if let path = RecordingFolder.recording(of: id, group: group, in: folder) { return path }
        let hint = FileSystem.isDirectory(folder) ? "" : ", because the folder does not exist"
        throw CommandFailure(
            .usage,
            "\(command): \(folder) has no recording of the request \(id) in \(group)\(hint): "
                + "name a folder, a file, or the id of a request that failed while it was recorded")
    }

    /// Returns the folder of the flag, or else that of the configuration.
    private func place(for command: String) throws(CommandFailure) -> String {
        if let folder { return folder.count > 1 && folder.hasSuffix("/") ? String(folder.dropLast()) : folder }
        let loader = ConfigurationLoader(
            file: config, environment: ProcessInfo.processInfo.environment, defaults: .ofThisMachine)
        do throws(ConfigurationErrors) {
            if let folder = try loader.load().get().record.folder { return folder }
        } catch {
            throw CommandFailure(.usage, error.lines.joined(separator: "\nappgroupd: "))
        }
        throw CommandFailure(
            .usage, "\(command): an id needs the folder of the recordings: pass --folder, or set record.folder")
    }
}
