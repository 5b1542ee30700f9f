import CLinuxShims
import Glibc
import NotificationModel

/// A sequenced-packet socket: whole messages, and descriptors with them.
package struct MessageSocket: ~Copyable, Sendable {
    package static let mostDescriptors = Int(AGD_MOST_DESCRIPTORS)

    package let descriptor: OwnedDescriptor

    package init(_ descriptor: consuming OwnedDescriptor) { self.descriptor = descriptor }

    /// Two connected ends: ours does not block, the child's does.
    package static func pair() throws(SystemError) -> SocketPair {
        var ends: [Int32] = [-1, -1]
        guard unsafe agd_socket_pair(&ends) == 0 else { throw .last("socketpair") }
        let pair = SocketPair(
            parent: MessageSocket(OwnedDescriptor(adopting: ends[0])),
            child: MessageSocket(OwnedDescriptor(adopting: ends[1])))
        guard fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0 else { throw .last("fcntl") }
        return pair
    }

    /// Sends one message with descriptors; the receiver gets its own copies of them.
    package borrowing func send(_ bytes: [UInt8], descriptors: [Int32] = []) throws(SystemError) {
        let sent = unsafe agd_send_message(descriptor.raw, bytes, bytes.count, descriptors, descriptors.count)
        guard sent == bytes.count else { throw .last("sendmsg") }
    }

    /// The next message; its descriptors are the caller's to close. `nil`: the other end is closed.
    ///
    /// - Throws: `EAGAIN` when there is none on a socket that does not block, `EMSGSIZE` when it is too long.
    package borrowing func receive(upTo capacity: Int) throws(SystemError) -> ReceivedMessage? {
        var bytes = [UInt8](repeating: 0, count: capacity)
        var descriptors = [Int32](repeating: -1, count: Self.mostDescriptors)
        var count = 0
        let received = unsafe agd_receive_message(descriptor.raw, &bytes, capacity, &descriptors, &count)
        guard received >= 0 else { throw .last("recvmsg") }
        guard received > 0 else { return nil }
        return ReceivedMessage(bytes: Array(bytes.prefix(received)), descriptors: Array(descriptors.prefix(count)))
    }
}

package struct SocketPair: ~Copyable {
    package let parent: MessageSocket
    package let child: MessageSocket

    /// Keeps the parent's end and closes the child's, once the child has its copy.
    package consuming func takeParent() -> MessageSocket { parent }
}

package struct ReceivedMessage: Sendable {
    package let bytes: [UInt8]
    /// Not owned by this value.
    package let descriptors: [Int32]
}

extension MessageSocket {
    /// The next message, waited for on the calling thread. `nil`: the other end is closed.
    ///
    /// - Throws: `ETIMEDOUT` when there is none in time.
    package borrowing func receive(
        upTo capacity: Int, within time: Duration
    ) throws(SystemError) -> ReceivedMessage? {
        let end = MonotonicInstant.now.advanced(by: time)
        while true {
            var waiting = pollfd(fd: descriptor.raw, events: Int16(POLLIN), revents: 0)
            let left = max(0, MonotonicInstant.now.duration(to: end).milliseconds.rounded(.up))
            let count = unsafe poll(&waiting, 1, Int32(clamping: Int(left)))
            if count > 0 { return try receive(upTo: capacity) }
            if count < 0, errno == EINTR { continue }
            throw count == 0 ? SystemError("waiting for a message", errno: ETIMEDOUT) : .last("poll")
        }
    }
}
