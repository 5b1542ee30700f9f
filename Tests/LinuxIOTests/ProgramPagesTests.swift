import LinuxIO
import Testing

/// A process may let go of its own code: it is read again from where it came.
struct ProgramPagesTests {
    @Test func `what only the start has needed is no memory of the process any more, and it goes on`() async {
        await #expect(processExitsWith: .success) {
            let before = try ProcessStatus.number("RssFile")
            ProgramPages.letGo()
            #expect(try ProcessStatus.number("RssFile") < before / 2)
        }
    }
}
