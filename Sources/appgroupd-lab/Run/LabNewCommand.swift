import CommandSupport
import LabCommands
import Scenarios

extension LabNewCommand: PerformableCommand {
    func perform() async throws {
        let draft: ScenarioDraft
        do { draft = try ScenarioDraft(payload: payload) } catch {
            for problem in error.all { StandardStreams.error(problem.text) }
            throw CommandFailure(.usage)
        }
        do {
            StandardStreams.output(try await draft.text())
        } catch {
            throw CommandFailure(.laboratoryFailed, "lab new: \(error)")
        }
    }
}
