/// A system call that the sandbox of a worker forbids and that the worker tried to make.
///
/// The worker's handler of SIGSYS writes it, in place of a reply, and ends the process: a byte `TranscodeWire.violationMark`,
/// the architecture and the number of the call, little-endian.
package struct WorkerViolation: Sendable, Equatable {
    /// `AUDIT_ARCH_*` of linux/audit.h.
    package var architecture: UInt32
    package var call: Int32

    package init(architecture: UInt32, call: Int32) {
        self.architecture = architecture
        self.call = call
    }

    /// - Returns: `nil` when the message is something else.
    package init?(message bytes: [UInt8]) {
        var reader = WireReader(bytes)
        do throws(WireError) {
            try reader.expect(TranscodeWire.violationMark)
            architecture = try reader.get()
            call = try reader.get()
            try reader.end()
        } catch {
            return nil
        }
    }
}
