import CXXHash
import Glibc

/// An XXH3 checksum of 64 bits over the pieces of a body. The checksum finds accidental damage. It does not find bytes
/// that an attacker chose to have the same checksum.
@safe package struct Checksum: ~Copyable {
    private let state: OpaquePointer

    /// Creates a checksum of no bytes. Throws `ENOMEM` if there is no memory.
    package init() throws(SystemError) {
        guard let state = unsafe agd_checksum_create() else { throw SystemError("malloc", errno: ENOMEM) }
        unsafe self.state = state
    }

    package mutating func update(_ bytes: [UInt8]) { unsafe agd_checksum_update(state, bytes, bytes.count) }

    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        unsafe agd_checksum_update(state, bytes.baseAddress, bytes.count)
    }

    /// The checksum of the pieces so far.
    package var value: UInt64 { unsafe agd_checksum_value(state) }

    deinit { unsafe agd_checksum_free(state) }
}
