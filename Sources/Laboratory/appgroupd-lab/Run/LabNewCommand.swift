import FeatureKit
import Features
import Foundation
import LinuxIO
import Scenarios

extension LabNewCommand: PerformableCommand {
    func perform() async throws {
        guard FileSystem.isRegularFile(payload) || payload.contains("/") || payload.hasSuffix(".json") else {
            return try writeRecording()
        }
        let draft: ScenarioDraft
        do { draft = try ScenarioDraft(payload: payload) } catch {
            for problem in error.all { StandardStreams.error(problem.text) }
            throw CommandFailure(.usage)
        }
        do {
            StandardStreams.output(String(try await draft.text().dropLast()))
        } catch {
            throw CommandFailure(.laboratoryFailed, "lab new: \(error)")
        }
    }

    /// Writes the scenario of a recorded request. The files of the recording stay where they are.
    private func writeRecording() throws(CommandFailure) {
        let path = try recordings.path(of: payload, for: "lab new")
        let folder = URL(filePath: path).absoluteURL.deletingLastPathComponent().path(percentEncoded: false)
        let whole = folder.count > 1 && folder.hasSuffix("/") ? String(folder.dropLast()) : folder
        guard let text = RecordingFolder.scenario(in: path, filesBelow: whole) else {
            throw CommandFailure(.usage, "lab new: \(path) is not a recording of this version")
        }
        StandardStreams.output(String(text.dropLast()))
    }
}
