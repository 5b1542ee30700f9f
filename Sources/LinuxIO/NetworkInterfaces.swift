import CLinuxShims
import Glibc
package import NotificationModel

/// What the kernel says of the network interfaces: their addresses, and that one has come or gone.
package final class NetworkInterfaces: Sendable {
    /// Open from the first question on; `nil` before. Where it cannot be opened there is no news, and none is an error:
    /// readings grow old.
    private let news = Guarded<Int32?>(nil)

    package init() {}

    deinit {
        news.withLock { descriptor in
            if let descriptor { _ = close(descriptor) }
        }
    }

    /// Every address of every interface; `nil` where the kernel does not say.
    package func addresses() -> Set<IPAddress>? {
        var addresses: Set<IPAddress> = []
        let result = unsafe withUnsafeMutablePointer(to: &addresses) { addresses in
            unsafe agd_interface_addresses(addresses) { context, bytes, count in
                let bytes = unsafe UnsafeBufferPointer(start: bytes, count: count)
                guard let address = unsafe IPAddress(bytes: bytes.span) else { return }
                unsafe context?.assumingMemoryBound(to: Set<IPAddress>.self).pointee.insert(address)
            }
        }
        return result == 0 ? addresses : nil
    }

    /// Whether an address has come or gone since this was last asked. Never waits.
    package func haveChanged() -> Bool {
        news.withLock { descriptor in
            if descriptor == nil {
                let watch = agd_watch_interface_addresses()
                if watch >= 0 { descriptor = watch }
            }
            guard let descriptor else { return false }
            var isNews = false
            var message: UInt64 = 0
            while true {
                let count = unsafe read(descriptor, &message, MemoryLayout<UInt64>.size)
                // More news than the socket holds (ENOBUFS) is news too.
                guard count >= 0 || errno == ENOBUFS || errno == EINTR else { return isNews }
                isNews = true
            }
        }
    }
}
