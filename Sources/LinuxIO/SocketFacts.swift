import CLinuxShims

/// The kernel's facts about a socket.
package enum SocketFacts {
    /// Returns the number of bytes that this process has read from a TCP socket. The number is too low if bytes arrive
    /// during the call.
    ///
    /// - Returns: `nil` for any other descriptor.
    package static func consumedBytes(of socket: Int32) -> Int? {
        let count = agd_consumed_bytes(socket)
        return count < 0 ? nil : Int(count)
    }
}
