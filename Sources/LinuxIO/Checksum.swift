import CXXHash
import Glibc

/// XXH3 with 64 bits over the pieces of a body. It finds damage. It does not find bytes that somebody chose to have the same
/// checksum.
@safe package struct Checksum: ~Copyable {
    private let state: OpaquePointer

    /// - Throws: `ENOMEM`.
    package init() throws(SystemError) {
        guard let state = unsafe agd_checksum_create() else { throw SystemError("malloc", errno: ENOMEM) }
        unsafe self.state = state
    }

    package mutating func update(_ bytes: [UInt8]) { unsafe agd_checksum_update(state, bytes, bytes.count) }

    /// The checksum of the pieces so far.
    package var value: UInt64 { unsafe agd_checksum_value(state) }

    deinit { unsafe agd_checksum_free(state) }
}
