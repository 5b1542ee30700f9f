import Glibc

/// A file descriptor with one owner, closed at the end of its life.
package struct OwnedDescriptor: ~Copyable, Sendable {
    package let raw: Int32

    /// Takes over a descriptor that a system call has just returned.
    package init(adopting raw: Int32) { self.raw = raw }

    /// Takes over the result of a call, or says why there is none.
    package static func adopt(_ raw: Int32, from call: String) throws(SystemError) -> OwnedDescriptor {
        guard raw >= 0 else { throw .last(call) }
        return OwnedDescriptor(adopting: raw)
    }

    /// Gives the descriptor away; it is not closed here any more.
    package consuming func release() -> Int32 {
        let raw = raw
        discard self
        return raw
    }

    deinit { _ = close(raw) }
}
