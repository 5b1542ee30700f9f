import FoundationEssentials
import LinuxIO
import NotificationModel
import Primitives
import Testing

@Suite struct ThreadExecutorTests {
    @Test func `a task and its children run on the thread, even after each suspension`() async throws {
        let thread = try ThreadExecutor(name: "agd-test")
        let names = Guarded<[String]>([])
        let note: @Sendable () -> Void = {
            let name = try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)
            names.withLock { $0.append(name ?? "") }
        }
        await Task(executorPreference: thread) {
            note()
            await Task.yield()
            note()
            await withTaskGroup { group in group.addTask { note() } }
            note()
        }.value
        thread.shutdown()
        #expect(names.withLock(\.self) == Array(repeating: "agd-test\n", count: 4))
    }
}
