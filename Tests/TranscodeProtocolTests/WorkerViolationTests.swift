import Testing
import TranscodeProtocol

/// Tests of the report of a forbidden call, as the handler of SIGSYS writes it.
struct WorkerViolationTests {
    private static let bytes: [UInt8] = [0xFF, 0x3E, 0, 0, 0xC0, 1, 1, 0, 0]

    @Test func `a violation report has the architecture and the number of the system call`() {
        #expect(WorkerViolation(message: Self.bytes) == WorkerViolation(architecture: 0xC000_003E, call: 257))
    }

    @Test(
        arguments: [[], [0xFF], Array(bytes.dropLast()), bytes + [0], [TranscodeWire.version] + bytes.dropFirst()]
            as [[UInt8]])
    func `a message of another form is not read as a violation report`(_ message: [UInt8]) {
        #expect(WorkerViolation(message: message) == nil)
    }

    @Test func `a reply is not read as a violation report, and a violation report is not read as a reply`() {
        let reply = TranscodeReply(id: 1, result: .failure(TranscodeFailure(.corrupt, "no")))
        #expect(WorkerViolation(message: TranscodeWire.encode(reply)) == nil)
        #expect(throws: WireError.self) { try TranscodeWire.decodeReply(Self.bytes) }
    }
}
