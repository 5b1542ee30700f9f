import LinuxIO
import Testing

/// A process may let go of its own code: it is read again from where it came.
struct ProgramPagesTests {
    @Test func `what only the start has needed is no memory of the process any more, and it goes on`() async {
        await #expect(processExitsWith: .success) {
            func mapped() throws -> Int {
                let status = String(decoding: try FileSystem.contents(of: "/proc/self/status"), as: UTF8.self)
                let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("RssFile:") })
                return try #require(line.split { $0 == " " || $0 == "\t" }.dropFirst().first.flatMap { Int($0) })
            }
            let before = try mapped()
            ProgramPages.letGo()
            #expect(try mapped() < before / 2)
        }
    }
}
