import FoundationEssentials
package import LinuxIO
import Logging
package import NotificationModel

/// Takes lines from any thread and writes each with one `write(2)`, on a thread of its own.
///
/// A write to a pipe that nobody reads blocks, to a stopped terminal or a full disk as well, and log lines come from
/// threads that must not. Non-blocking writes are no way out: the flag belongs to the open file, which other processes
/// share, and regular files and the sockets of a journal do not have it or cannot be opened again. So one thread may
/// wait, and what it has not written yet is bounded: past it, lines are dropped and counted, and the count is told
/// when there is room again. Lines that are queued when the process is killed are lost; that is the price.
package final class LogOutput: Sendable {
    /// Waiting for their writing: some thousand lines.
    package static let mostQueuedBytes = 1 << 20

    fileprivate enum Entry {
        case line([UInt8])
        /// So many lines are missing here.
        case gap(Int)
    }

    fileprivate struct State {
        var queue: [Entry] = []
        /// Of the lines in the queue, and of those that the thread is at.
        var bytes = 0
        /// Behind the end of the queue.
        var gap = 0
        var allDrops = 0
    }

    private let state = Guarded(State())
    private let descriptor: LogDescriptor
    private let layout: LogLayout
    private let loop: EventLoop

    /// - Parameters:
    ///   - descriptor: stays open for as long as this lives.
    ///   - layout: of the line that tells how many were dropped.
    package init(to descriptor: LogDescriptor, layout: LogLayout) throws(SystemError) {
        self.descriptor = descriptor
        self.layout = layout
        loop = try EventLoop.start(name: "agd-log")
    }

    /// Puts a line into the queue, or counts it where there is no room. Does not wait.
    package func write(_ line: [UInt8]) {
        let isFirst = state.withLock { state in
            guard state.bytes + line.count <= Self.mostQueuedBytes else {
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

    /// Lines that found no room, or that the descriptor did not take, since the start.
    package var droppedLines: Int { state.withLock { $0.allDrops } }

    package var droppedLinesMetric: MetricFamily {
        MetricFamily(
            name: "appgroupd_log_dropped_lines_total", kind: .counter,
            help: "Log lines that were not written because nobody read standard error.",
            samples: [.init(value: Double(droppedLines))])
    }

    /// Returns when all that has been said is written, or when the time is over.
    package func flush(within time: Duration, clock: any RequestClock = SystemClock()) async {
        let (written, writing) = AsyncStream<Void>.makeStream()
        loop.execute { writing.finish() }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { for await _ in written {} }
            group.addTask { await clock.sleep(until: clock.now.advanced(by: time)) }
            await group.next()
            group.cancelAll()
        }
    }

    /// Writes what is queued and ends the thread. Waits for as long as the descriptor does not take it.
    package func shutdown() { loop.shutdown() }

    // MARK: On the thread

    private func writeQueue() {
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
                case .gap(let count): _ = try? FileSystem.write(notice(of: count)[...], to: descriptor.raw)
                }
            }
        }
    }

    private func write(now line: [UInt8]) {
        let isWritten = (try? FileSystem.write(line[...], to: descriptor.raw)) != nil
        state.withLock { state in
            state.bytes -= line.count
            if !isWritten { state.allDrops += 1 }
        }
    }

    private func notice(of count: Int) -> [UInt8] {
        let record = LogRecord(
            date: Date(), level: .warning, label: "appgroupd.log",
            message: "log lines were dropped: standard error was not read fast enough",
            metadata: ["lines": .stringConvertible(count)])
        return LogLine.bytes(of: record, layout: layout)
    }
}

extension LogOutput.State {
    /// Puts what is missing where it is missing.
    fileprivate mutating func closeGap() {
        guard gap > 0 else { return }
        queue.append(.gap(gap))
        gap = 0
    }
}
