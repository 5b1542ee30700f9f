import Glibc
import LinuxIO
import Testing

@Suite(.timeLimit(.minutes(1)))
struct MessageSocketTests {
    /// Returns whether all copies of a pipe's writing end are closed. If all copies are closed, the reader gets a
    /// hangup within ten seconds.
    private func hangsUp(_ reader: Int32) -> Bool {
        var ready = pollfd(fd: reader, events: 0, revents: 0)
        return poll(&ready, 1, 10_000) == 1 && ready.revents & Int16(POLLHUP) != 0
    }

    /// Returns the reading end of a pipe whose writing end is only in a sent message.
    private func readerOfSent(
        by socket: borrowing MessageSocket, with bytes: [UInt8], copies: Int = 1
    ) throws -> OwnedDescriptor {
        let ends = try TestPipe.openEnds()
        let reader = OwnedDescriptor(adopting: ends.reader)
        let writer = OwnedDescriptor(adopting: ends.writer)
        try socket.send(bytes, descriptors: Array(repeating: writer.raw, count: copies))
        return reader
    }

    @Test func `messages arrive unchanged and in order`() throws {
        let pair = try MessageSocket.pair()
        try pair.parent.send([1, 2, 3])
        try pair.parent.send([4])
        #expect(try pair.child.receive(upTo: 100)?.bytes == [1, 2, 3])
        #expect(try pair.child.receive(upTo: 1)?.bytes == [4])
    }

    @Test(arguments: [1, 2, MessageSocket.maxDescriptors])
    func `descriptors arrive with their message, in order`(_ count: Int) throws {
        let pair = try MessageSocket.pair()
        let pipes = try (0..<count).map { _ in try TestPipe() }
        try pair.parent.send([7], descriptors: pipes.map { $0.writer.raw })
        let message = try #require(try pair.child.receive(upTo: 100))
        #expect(message.bytes == [7])
        try #require(message.descriptors.count == count)
        for (index, raw) in message.descriptors.enumerated() {
            let copy = OwnedDescriptor(adopting: raw)
            #expect(copy.raw != pipes[index].writer.raw)
            #expect(fcntl(copy.raw, F_GETFD) & FD_CLOEXEC != 0)
            try FileSystem.write(Array("pipe \(index)".utf8)[...], to: copy.raw)
            #expect(pipes[index].take() == "pipe \(index)")
        }
    }

    @Test func `both ends are close-on-exec, and only the parent's end is non-blocking`() throws {
        let pair = try MessageSocket.pair()
        for raw in [pair.parent.descriptor.raw, pair.child.descriptor.raw] {
            #expect(fcntl(raw, F_GETFD) & FD_CLOEXEC != 0)
        }
        #expect(fcntl(pair.parent.descriptor.raw, F_GETFL) & O_NONBLOCK != 0)
        #expect(fcntl(pair.child.descriptor.raw, F_GETFL) & O_NONBLOCK == 0)
    }

    @Test func `a message that is too long is reported as EMSGSIZE, and its descriptors are closed`() throws {
        let pair = try MessageSocket.pair()
        let reader = try readerOfSent(by: pair.parent, with: [1, 2, 3, 4, 5], copies: 3)
        try pair.parent.send([6])
        let error = #expect(throws: SystemError.self) { _ = try pair.child.receive(upTo: 4) }
        #expect(error?.errno == EMSGSIZE)
        #expect(hangsUp(reader.raw))
        #expect(try pair.child.receive(upTo: 4)?.bytes == [6])
    }

    @Test func `a message without bytes is read as the end of the peer, and its descriptors are closed`() throws {
        let pair = try MessageSocket.pair()
        let reader = try readerOfSent(by: pair.parent, with: [], copies: MessageSocket.maxDescriptors)
        #expect(try pair.child.receive(upTo: 100) == nil)
        #expect(hangsUp(reader.raw))
    }

    @Test func `a message with too many descriptors is not sent`() throws {
        let pair = try MessageSocket.pair()
        let raw = pair.parent.descriptor.raw
        let error = #expect(throws: SystemError.self) {
            try pair.parent.send([1], descriptors: Array(repeating: raw, count: MessageSocket.maxDescriptors + 1))
        }
        #expect(error?.errno == EMSGSIZE)
        try pair.parent.send([2])
        #expect(try pair.child.receive(upTo: 1)?.bytes == [2])
    }

    @Test func `a message with a closed descriptor is not sent`() throws {
        let pair = try MessageSocket.pair()
        let error = #expect(throws: SystemError.self) { try pair.child.send([1], descriptors: [-1]) }
        #expect(error?.errno == EBADF)
        #expect(throws: SystemError.self) { _ = try pair.parent.receive(upTo: 1) }
    }

    @Test func `the parent's end reports EAGAIN if no message has arrived`() throws {
        let pair = try MessageSocket.pair()
        let error = #expect(throws: SystemError.self) { _ = try pair.parent.receive(upTo: 100) }
        #expect(error?.isTryAgain == true)
    }

    @Test func `the parent's end reports EAGAIN if the socket has no free space`() throws {
        let pair = try MessageSocket.pair()
        let error = #expect(throws: SystemError.self) {
            for _ in 0..<100_000 { try pair.parent.send([UInt8](repeating: 0, count: 4_096)) }
        }
        #expect(error?.isTryAgain == true)
    }

    @Test func `the last messages of a closed peer arrive, and the next read returns nil`() throws {
        let ours = try endedPair(lastWord: [9])
        #expect(try ours.receive(upTo: 100)?.bytes == [9])
        #expect(try ours.receive(upTo: 100) == nil)
        #expect(try ours.receive(upTo: 100) == nil)
    }

    @Test func `a message to a closed peer fails with EPIPE, and raises no signal`() throws {
        let ours = try endedPair(lastWord: [9])
        let error = #expect(throws: SystemError.self) { try ours.send([1]) }
        #expect(error?.errno == EPIPE)
    }

    private func endedPair(lastWord: [UInt8]) throws -> MessageSocket {
        let pair = try MessageSocket.pair()
        try pair.child.send(lastWord)
        return pair.takeParent()
    }
}
