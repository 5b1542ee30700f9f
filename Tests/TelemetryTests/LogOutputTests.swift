import Base
import Glibc
import LinuxIO
import NotificationModel
import Telemetry
import Testing

/// Tests that a logging thread never waits for the reader of the log.
@Suite struct LogOutputTests {
    private static func line(_ number: Int, bytes: Int = 0) -> [UInt8] {
        let text = "{\"number\":\(number),\"text\":\"" + String(repeating: "x", count: bytes) + "\"}\n"
        return Array(text.utf8)
    }

    @Test func `log lines are written completely and in order`() throws {
        let pipe = try PipeEnds()
        let output = try LogOutput(to: pipe.writing.raw, layout: .json)
        for number in 0..<1_000 { output.write(Self.line(number)) }
        let lines = pipe.lines(1_000)
        #expect(lines == (0..<1_000).map { String(decoding: Self.line($0).dropLast(), as: UTF8.self) })
        #expect(output.droppedLines == 0)
        output.shutdown()
    }

    @Test func `each line is written with one call of write`() throws {
        // On a sequenced-packet socket, each write is a message.
        let pair = try MessageSocket.pair()
        let output = try LogOutput(to: pair.child.descriptor.raw, layout: .json)
        for number in 0..<50 { output.write(Self.line(number, bytes: 5_000)) }
        for number in 0..<50 {
            var waiting = pollfd(fd: pair.parent.descriptor.raw, events: Int16(POLLIN), revents: 0)
            #expect(poll(&waiting, 1, -1) == 1)
            let message = try pair.parent.receive(upTo: 1 << 15)
            #expect(message?.bytes == Self.line(number, bytes: 5_000))
        }
        output.shutdown()
    }

    @Test func `a pipe without a reader does not block callers, and the dropped lines are reported`() throws {
        let pipe = try PipeEnds()
        let output = try LogOutput(to: pipe.writing.raw, layout: .json)
        // The lines take about ten times the space of the pipe and the queue. A blocking write would never return.
        let count = 10_000
        for number in 0..<count { output.write(Self.line(number, bytes: 1_000)) }
        let dropped = output.droppedLines
        #expect(dropped > count / 2)
        #expect(dropped < count)

        // When the pipe is read again, each line is whole JSON, and the notices have the number of missing lines.
        var reported = 0
        let lines = pipe.lines { lines in
            reported = lines.compactMap { (try? JSONParser.value(of: $0))?["lines"]?.integer }.reduce(0, +)
            return reported == dropped
        }
        let numbers = try lines.compactMap { try JSONParser.value(of: $0)["number"]?.integer }
        #expect(numbers.count == count - dropped)
        #expect(numbers == numbers.sorted())
        #expect(reported == dropped)
        output.shutdown()
    }

    @Test func `the queue accepts lines again after it was full`() throws {
        let pipe = try PipeEnds()
        let output = try LogOutput(to: pipe.writing.raw, layout: .json)
        for number in 0..<5_000 { output.write(Self.line(number, bytes: 1_000)) }
        _ = pipe.lines { $0.contains { $0.contains("were dropped") } }
        let before = output.droppedLines
        output.write(Self.line(-1))
        #expect(pipe.lines(1).last == #"{"number":-1,"text":""}"#)
        #expect(output.droppedLines == before)
        output.shutdown()
    }

    @Test func `a flush waits until all lines are written`() async throws {
        let pipe = try PipeEnds()
        let output = try LogOutput(to: pipe.writing.raw, layout: .json)
        output.write(Self.line(1))
        await output.flush(within: .seconds(3_600))
        // The written line is already in the pipe, so a non-blocking read finds it.
        #expect(fcntl(pipe.reading.raw, F_SETFL, O_NONBLOCK) == 0)
        #expect(pipe.lines(1).count == 1)
        output.shutdown()
    }

    @Test func `a flush into a full pipe ends at its time limit`() async throws {
        let pipe = try PipeEnds()
        let output = try LogOutput(to: pipe.writing.raw, layout: .json)
        for number in 0..<500 { output.write(Self.line(number, bytes: 1_000)) }
        await output.flush(within: .milliseconds(1))
        #expect(pipe.lines(500).count == 500)
        output.shutdown()
    }

    @Test func `a line to a closed pipe is counted as dropped, and does not end the program`() async throws {
        signal(SIGPIPE, SIG_IGN)
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        close(ends[0])
        let writing = OwnedDescriptor(adopting: ends[1])
        let output = try LogOutput(to: writing.raw, layout: .json)
        output.write(Self.line(1))
        await output.flush(within: .seconds(3_600))
        #expect(output.droppedLines == 1)
        output.shutdown()
    }
}
