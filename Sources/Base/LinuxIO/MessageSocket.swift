import Base
import CLinuxShims
import Glibc

/// A sequenced-packet socket, which transfers whole messages with descriptors.
package struct MessageSocket: ~Copyable, Sendable {
    package static let maxDescriptors = Int(AGD_MOST_DESCRIPTORS)

    package let descriptor: OwnedDescriptor

    package init(_ descriptor: consuming OwnedDescriptor) { self.descriptor = descriptor }

    /// Returns two connected ends. The parent's end is non-blocking, and the child's end blocks.
    package static func pair() throws(SystemError) -> SocketPair {
        var ends: [Int32] = [-1, -1]
        guard unsafe agd_socket_pair(&ends) == 0 else { throw .last("socketpair") }
        let pair = SocketPair(
            parent: MessageSocket(OwnedDescriptor(adopting: ends[0])),
            child: MessageSocket(OwnedDescriptor(adopting: ends[1])))
        guard fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0 else { throw .last("fcntl") }
        return pair
    }

    /// Sends one message with descriptors. The recipient gets its own copies of them.
    package borrowing func send(_ bytes: [UInt8], descriptors: [Int32] = []) throws(SystemError) {
        let sent = unsafe agd_send_message(descriptor.raw, bytes, bytes.count, descriptors, descriptors.count)
        guard sent == bytes.count else { throw .last("sendmsg") }
    }

    /// Returns the next message; `nil` if the other end is closed. The caller must close the descriptors of the
    /// message. Throws `EAGAIN` if a non-blocking socket has no message, and `EMSGSIZE` if the message is too long.
    package borrowing func receive(upTo capacity: Int) throws(SystemError) -> ReceivedMessage? {
        var bytes = [UInt8](repeating: 0, count: capacity)
        var descriptors = [Int32](repeating: -1, count: Self.maxDescriptors)
        var count = 0
        let received = unsafe agd_receive_message(descriptor.raw, &bytes, capacity, &descriptors, &count)
        guard received >= 0 else { throw .last("recvmsg") }
        guard received > 0 else { return nil }
        return ReceivedMessage(bytes: Array(bytes.prefix(received)), descriptors: Array(descriptors.prefix(count)))
    }

    /// Waits on the calling thread for the next message, and returns it; `nil` if the other end is closed. Throws
    /// `ETIMEDOUT` if no message arrives in time.
    package borrowing func receive(upTo capacity: Int, within time: Duration) throws(SystemError) -> ReceivedMessage? {
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

package struct SocketPair: ~Copyable {
    package let parent: MessageSocket
    package let child: MessageSocket

    /// Returns the parent's end, and closes the child's end, when the child has its own copy.
    package consuming func takeParent() -> MessageSocket { parent }
}

package struct ReceivedMessage: Sendable {
    package let bytes: [UInt8]
    /// The descriptors of the message. This value does not own them.
    package let descriptors: [Int32]
}
