import Base
import FoundationEssentials
import Glibc
package import LinuxIO
import Logging
import NotificationModel

/// An output that takes lines from any thread, and writes each line with one call of its sink on a separate thread.
///
/// A write blocks if no process reads the pipe, if the terminal is stopped, or if the disk is full. Log lines come from
/// threads that must not block. Non-blocking writes do not help: the flag belongs to the open file, which other
/// processes share. Regular files and the sockets of a journal ignore the flag or cannot be opened again.
///
/// Therefore one thread may block, and the queue before it is bounded. When the queue is full, lines are dropped and
/// counted. A notice reports their number when there is space again. Queued lines are lost if the process is killed.
package final class LogOutput: Sendable {
    /// The maximum number of bytes in the queue, which is enough for some thousand lines.
    package static let maxQueuedBytes = 1 << 20
    /// The time in microseconds in which further lines join the queue before the thread writes it. Without it, each line
    /// wakes the thread, which costs three times as much processor time as making and writing the line.
    private static let batchDelay: UInt32 = 5_000

    private enum Entry {
        case line([UInt8])
        /// A gap in the output, in which this number of lines was dropped.
        case gap(Int)
    }

    private struct State {
        var queue: [Entry] = []
        /// The number of bytes of the lines in the queue, and of the lines that the thread is writing.
        var bytes = 0
        /// The number of lines that were dropped after the last entry of the queue.
        var gap = 0
        var allDrops = 0

        /// Appends a gap to the queue if lines were dropped after its last entry.
        mutating func closeGap() {
            guard gap > 0 else { return }
            queue.append(.gap(gap))
            gap = 0
        }
    }

    private let state = Guarded(State())
    private let sink: any LogSink
    private let layout: LogLayout
    private let loop: EventLoop

    /// Creates an output and starts its thread.
    ///
    /// - Parameter layout: The layout of the notice with the number of dropped lines.
    package init(to sink: any LogSink, layout: LogLayout) throws(SystemError) {
        self.sink = sink
        self.layout = layout
        loop = try EventLoop.start(name: "agd-log")
    }

    /// Creates an output to a descriptor. The descriptor must stay open as long as this object lives.
    package convenience init(to descriptor: Int32, layout: LogLayout) throws(SystemError) {
        try self.init(to: DescriptorSink(descriptor: descriptor), layout: layout)
    }

    /// Appends a line to the queue, or counts it as dropped if the queue is full. The method does not block.
    package func write(_ line: [UInt8]) {
        let isFirst = state.withLock { state in
            guard state.bytes + line.count <= Self.maxQueuedBytes else {
                state.gap += 1
                state.allDrops += 1
                return false
            }
            defer { state.queue.append(.line(line)) }
            let isFirst = state.queue.isEmpty
            state.bytes += line.count
            state.closeGap()
            return isFirst
        }
        if isFirst { loop.execute { self.writeQueue() } }
    }

    /// The number of lines since the start that did not fit into the queue, or that could not be written.
    package var droppedLines: Int { state.withLock { $0.allDrops } }

    /// Waits until all lines so far are written, or until the time is over.
    package func flush(within time: Duration) async {
        let written = AsyncEvent()
        loop.execute { written.signal() }
        await written.wait(until: .now + time, on: SystemClock())
    }

    /// Opens a file again that another program has moved, on the thread that writes it: the thread may wait for the disk.
    func reopen(_ file: RotatingFile) { loop.execute { file.reopen() } }

    /// Writes the queued lines and ends the thread. The method blocks as long as writes to the descriptor block.
    package func shutdown() { loop.shutdown() }

    // MARK: On the output's thread

    private func writeQueue() {
        usleep(Self.batchDelay)
        while true {
            let batch = state.withLock { state in
                if state.queue.isEmpty { state.closeGap() }
                defer { state.queue = [] }
                return state.queue
            }
            guard !batch.isEmpty else { return }
            for entry in batch {
                switch entry {
                case .line(let line): write(now: line)
                case .gap(let count): try? sink.write(notice(of: count))
                }
            }
        }
    }

    private func write(now line: [UInt8]) {
        let isWritten = (try? sink.write(line)) != nil
        state.withLock { state in
            state.bytes -= line.count
            if !isWritten { state.allDrops += 1 }
        }
    }

    private func notice(of count: Int) -> [UInt8] {
        let record = LogRecord(
            date: Date(), level: .warning, label: "appgroupd.log",
            message: "log lines were dropped: the destination of the log did not take them fast enough",
            metadata: ["lines": .stringConvertible(count)])
        return LogLine.bytes(of: record, layout: layout)
    }
}
