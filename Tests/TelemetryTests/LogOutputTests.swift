import Glibc
import JSON
import LinuxIO
import NotificationModel
import Telemetry
import Testing

/// Whoever logs never waits for whoever reads.
@Suite struct LogOutputTests {
    private static func line(_ number: Int, bytes: Int = 0) -> [UInt8] {
        let text = "{\"number\":\(number),\"text\":\"" + String(repeating: "x", count: bytes) + "\"}\n"
        return Array(text.utf8)
    }

    @Test func `lines come out whole and in order`() throws {
        let pipe = try PipeEnds()
        let output = try LogOutput(to: LogDescriptor(raw: pipe.writing.raw), layout: .json)
        for number in 0..<1_000 { output.write(Self.line(number)) }
        let lines = pipe.lines(1_000)
        #expect(lines == (0..<1_000).map { String(decoding: Self.line($0).dropLast(), as: UTF8.self) })
        #expect(output.droppedLines == 0)
        output.shutdown()
    }

    @Test func `each line is one write`() throws {
        // On a sequenced-packet socket each write is a message.
        let pair = try MessageSocket.pair()
        let output = try LogOutput(to: LogDescriptor(raw: pair.child.descriptor.raw), layout: .json)
        for number in 0..<50 { output.write(Self.line(number, bytes: 5_000)) }
        for number in 0..<50 {
            var waiting = pollfd(fd: pair.parent.descriptor.raw, events: Int16(POLLIN), revents: 0)
            #expect(poll(&waiting, 1, -1) == 1)
            let message = try pair.parent.receive(upTo: 1 << 15)
            #expect(message?.bytes == Self.line(number, bytes: 5_000))
        }
        output.shutdown()
    }

    @Test func `a pipe that nobody reads stops nobody, and what was dropped is told`() throws {
        let pipe = try PipeEnds()
        let output = try LogOutput(to: LogDescriptor(raw: pipe.writing.raw), layout: .json)
        // Some ten times of what the pipe and the queue take together; a write that waits would wait for ever.
        let count = 10_000
        for number in 0..<count { output.write(Self.line(number, bytes: 1_000)) }
        let dropped = output.droppedLines
        #expect(dropped > count / 2)
        #expect(dropped < count)

        // Reading on, every line is whole JSON, and the number of those that are missing is told.
        var told = 0
        let lines = pipe.lines { lines in
            told = lines.compactMap { (try? JSONParser.value(of: $0))?["lines"]?.integer }.reduce(0, +)
            return told == dropped
        }
        let numbers = try lines.compactMap { try JSONParser.value(of: $0)["number"]?.integer }
        #expect(numbers.count == count - dropped)
        #expect(numbers == numbers.sorted())
        #expect(told == dropped)
        output.shutdown()
    }

    @Test func `the queue takes lines again after a jam`() throws {
        let pipe = try PipeEnds()
        let output = try LogOutput(to: LogDescriptor(raw: pipe.writing.raw), layout: .json)
        for number in 0..<5_000 { output.write(Self.line(number, bytes: 1_000)) }
        _ = pipe.lines { $0.contains { $0.contains("were dropped") } }
        let before = output.droppedLines
        output.write(Self.line(-1))
        #expect(pipe.lines(1).last == #"{"number":-1,"text":""}"#)
        #expect(output.droppedLines == before)
        output.shutdown()
    }

    @Test func `flushing waits for what was said`() async throws {
        let pipe = try PipeEnds()
        let output = try LogOutput(to: LogDescriptor(raw: pipe.writing.raw), layout: .json)
        output.write(Self.line(1))
        await output.flush(within: .seconds(3_600))
        // What is written is there already: this read does not wait.
        #expect(fcntl(pipe.reading.raw, F_SETFL, O_NONBLOCK) == 0)
        #expect(pipe.lines(1).count == 1)
        output.shutdown()
    }

    @Test func `flushing into a jam ends in time`() async throws {
        let pipe = try PipeEnds()
        let output = try LogOutput(to: LogDescriptor(raw: pipe.writing.raw), layout: .json)
        for number in 0..<500 { output.write(Self.line(number, bytes: 1_000)) }
        await output.flush(within: .milliseconds(1))
        #expect(pipe.lines(500).count == 500)
        output.shutdown()
    }

    @Test func `a reader that has left is counted, not fatal`() async throws {
        signal(SIGPIPE, SIG_IGN)
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        close(ends[0])
        let writing = OwnedDescriptor(adopting: ends[1])
        let output = try LogOutput(to: LogDescriptor(raw: writing.raw), layout: .json)
        output.write(Self.line(1))
        await output.flush(within: .seconds(3_600))
        #expect(output.droppedLines == 1)
        output.shutdown()
    }
}
