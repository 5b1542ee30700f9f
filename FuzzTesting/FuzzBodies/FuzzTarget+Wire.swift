import TranscodeProtocol

extension FuzzTarget {
    /// Decodes messages between the daemon and its workers, in both directions. Each message has only one encoding.
    static func wire(_ bytes: [UInt8]) throws(FuzzFinding) {
        if let job = try? TranscodeWire.decodeJob(bytes) {
            try require(TranscodeWire.encode(job) == bytes, "a job is written as it was read")
        }
        if let reply = try? TranscodeWire.decodeReply(bytes) {
            try require(TranscodeWire.encode(reply) == bytes, "a reply is written as it was read")
        }
    }
}
