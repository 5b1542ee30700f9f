import Glibc
import NotificationModel

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
