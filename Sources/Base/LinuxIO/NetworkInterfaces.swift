package import Base
import CLinuxShims
import Glibc

/// The addresses of the network interfaces, and the kernel's messages that they have changed.
package final class NetworkInterfaces: Sendable {
    /// The socket for the kernel's messages, which is opened at the first call of `haveChanged`; `nil` before that
    /// call. If the socket cannot be opened, no change is reported. The missing socket is no error, because readers
    /// read the addresses again after some time.
    private let news = Guarded<Int32?>(nil)

    package init() {}

    deinit {
        news.withLock { descriptor in
            if let descriptor { _ = close(descriptor) }
        }
    }

    /// Returns the addresses of all interfaces; `nil` if the kernel does not report them.
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

    /// Returns whether an address has been added or removed since the last call. The call never blocks.
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
                // The kernel reports ENOBUFS if the socket cannot hold all messages. Lost messages mean changes too.
                guard count >= 0 || errno == ENOBUFS || errno == EINTR else { return isNews }
                isNews = true
            }
        }
    }
}
