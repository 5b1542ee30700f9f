/// A forbidden system call that a worker tried to make.
///
/// The worker's handler of SIGSYS writes a report instead of a reply, and ends the process. The report has the byte
/// `TranscodeWire.violationMark`, the architecture and the number of the call, in little-endian order.
package struct WorkerViolation: Sendable, Equatable {
    /// The architecture, an `AUDIT_ARCH_*` of linux/audit.h.
    package var architecture: UInt32
    package var call: Int32

    package init(architecture: UInt32, call: Int32) {
        self.architecture = architecture
        self.call = call
    }

    /// Reads the report from a message.
    ///
    /// - Returns: `nil` if the message is not a report of a forbidden call.
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
