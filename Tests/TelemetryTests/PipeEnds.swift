import Glibc
import LinuxIO

/// A pipe whose reading end a test may leave unread.
struct PipeEnds: ~Copyable {
    let reading: OwnedDescriptor
    let writing: OwnedDescriptor

    init() throws {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw SystemError.last("pipe") }
        reading = OwnedDescriptor(adopting: ends[0])
        writing = OwnedDescriptor(adopting: ends[1])
    }

    /// Waits for this number of lines, and returns them without their line ends.
    func lines(_ count: Int) -> [String] { lines { $0.count >= count } }

    /// Reads until the lines are enough; returns all lines if the pipe is closed or no more data comes.
    func lines(until isEnough: ([String]) -> Bool) -> [String] {
        var text: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            if text.last == UInt8(ascii: "\n") {
                let lines = String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
                if isEnough(lines) { return lines }
            }
            // The wait reaches its limit only in a failing test.
            var waiting = pollfd(fd: reading.raw, events: Int16(POLLIN), revents: 0)
            let read = poll(&waiting, 1, 10_000) == 1 ? Glibc.read(reading.raw, &buffer, buffer.count) : 0
            guard read > 0 else {
                return String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
            }
            text += buffer[..<read]
        }
    }
}
