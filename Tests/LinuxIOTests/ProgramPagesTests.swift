import LinuxIO
import TestSupport
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

    @Test func `the first pages of a library, which say where the others are, are let go of too`() async {
        await #expect(processExitsWith: .success) {
            // What it takes to look is found first: the dynamic linker reads the tables of libraries for that.
            _ = try MappedPart.all()
            ProgramPages.letGo()
            let libraries = try MappedPart.all().filter { $0.isFirst && $0.path.contains(".so") }
            // Those that this goes through itself come back.
            #expect(libraries.count > 20 && libraries.filter(\.isRead).count < libraries.count / 2)
        }
    }
}

/// A mapping of a file (`/proc/self/smaps`, proc(5)).
private struct MappedPart {
    var path: String
    /// Of the file.
    var isFirst: Bool
    /// Pages of it are the process's memory, those that it has written to left aside.
    var isRead: Bool

    static func all() throws -> [MappedPart] {
        var parts: [MappedPart] = []
        var resident = 0
        let text = String(decoding: try FileSystem.contents(of: "/proc/self/smaps"), as: UTF8.self)
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ")
            switch words.first {
            case "Rss:": resident = Int(words[1]) ?? 0
            case "Anonymous:":
                if !parts.isEmpty { parts[parts.count - 1].isRead = resident > Int(words[1]) ?? 0 }
            case _? where words[0].contains("-"):
                parts.append(MappedPart(path: String(words.last ?? ""), isFirst: words[2] == "00000000", isRead: false))
            default: break
            }
        }
        return parts.filter { $0.path.hasPrefix("/") }
    }
}
