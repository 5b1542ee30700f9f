import Base
import TestSupport
import Testing
import TranscodeProtocol

/// Tests with bytes that no valid peer sends. The bytes must be refused or be another valid message, and must never
/// cause a trap.
struct HostileMessageTests {
    private func job(_ bytes: [UInt8]) -> TranscodeJob? { try? TranscodeWire.decodeJob(bytes) }
    private func reply(_ bytes: [UInt8]) -> TranscodeReply? { try? TranscodeWire.decodeReply(bytes) }

    /// Returns a successful reply with stages that took no time, by their codes.
    private func reply(stages codes: [UInt8]) -> TranscodeReply? {
        var bytes: [UInt8] = [1, 1, 0, 0, 0, 0, UInt8(codes.count)]
        for code in codes { bytes += [code, 0, 0, 0, 0, 0, 0, 0, 0] }
        return reply(bytes + [0, 0, 0])
    }

    private static let messages =
        WireSamples.jobs.map { TranscodeWire.encode($0) } + WireSamples.replies.map { TranscodeWire.encode($0) }
    /// One message of each length, because messages of equal length differ only in single bytes.
    private static let shapes = Dictionary(messages.map { ($0.count, $0) }) { first, _ in first }
        .values.filter { $0.count < 200 }.sorted { $0.count < $1.count }

    @Test(arguments: WireSamples.jobs)
    func `a job that is truncated or has an extra byte is refused`(_ job: TranscodeJob) {
        let bytes = TranscodeWire.encode(job)
        #expect(bytes.indices.filter { self.job(Array(bytes[..<$0])) != nil }.isEmpty)
        #expect((UInt8.min ... .max).filter { self.job(bytes + [$0]) != nil }.isEmpty)
        #expect(self.job(bytes + bytes) == nil)
    }

    @Test(arguments: WireSamples.replies)
    func `a reply that is truncated or has an extra byte is refused`(_ reply: TranscodeReply) {
        let bytes = TranscodeWire.encode(reply)
        #expect(bytes.indices.filter { self.reply(Array(bytes[..<$0])) != nil }.isEmpty)
        #expect((UInt8.min ... .max).filter { self.reply(bytes + [$0]) != nil }.isEmpty)
        #expect(self.reply(bytes + bytes) == nil)
    }

    /// A decoded message has all the information of its bytes, so encoding it again gives the same bytes.
    @Test(arguments: shapes.indices)
    func `a message with one changed byte is refused, or is encoded again to the same bytes`(_ index: Int) {
        var bytes = Self.shapes[index]
        var misread: [(place: Int, byte: UInt8)] = []
        for place in bytes.indices {
            let right = bytes[place]
            for byte in UInt8.min ... .max where byte != right {
                bytes[place] = byte
                if let job = job(bytes), TranscodeWire.encode(job) != bytes { misread.append((place, byte)) }
                if let reply = reply(bytes), TranscodeWire.encode(reply) != bytes { misread.append((place, byte)) }
            }
            bytes[place] = right
        }
        #expect(misread.isEmpty)
    }

    @Test(arguments: [0, 2, 255] as [UInt8])
    func `a message of another version is refused`(_ version: UInt8) {
        for bytes in Self.messages {
            #expect(job([version] + bytes.dropFirst()) == nil)
            #expect(reply([version] + bytes.dropFirst()) == nil)
        }
    }

    @Test func `a message with an unknown code or too many orders or stages is refused`() {
        let job = TranscodeWire.encode(TranscodeJob(id: 1, format: .png, specs: [WireSamples.order]))
        // The job has one order, which has no time, no part and no aspect ratio. The pace, the flag for damage and the
        // flag for a part follow.
        let front: Int = job.count - 46 - 6
        #expect(job[front - 1] == 1)
        let unknown = UInt8(MediaFormat.allCases.count + 1)
        for byte in [0, MediaFormat.svg.rawValue, unknown, 255] as [UInt8] {
            #expect(self.job(job.replacing(5, by: byte)) == nil, "format \(byte)")
        }
        for byte in [0, 4, 255] as [UInt8] { #expect(self.job(job.replacing(front, by: byte)) == nil, "role \(byte)") }
        for (place, what) in [
            (8, "a time nor none"), (7, "a part nor none"), (6, "an aspect nor none"), (5, "a mask nor none"),
            (4, "with HEVC nor without"), (3, "with videos nor without"), (2, "with animations nor without"),
            (1, "as WebP nor without"),
        ] {
            #expect(self.job(job.replacing(job.count - 6 - place, by: 2)) == nil, "neither \(what)")
        }
        #expect(self.job(job.replacing(front - 2, by: 2)) == nil, "neither for a time nor without an end")
        #expect(self.job(job.replacing(job.count - 2, by: 2)) == nil, "neither with damage nor without")
        #expect(self.job(job.replacing(job.count - 1, by: 2)) == nil, "neither a part nor the whole")
        let (order, pace) = (Array(job[front...].dropLast(6)), job.suffix(6))
        let specs = Array(repeating: order, count: TranscodeWire.maxSpecs + 1).flatMap { $0 }
        #expect(self.job(Array(job[..<(front - 1)]) + [UInt8(TranscodeWire.maxSpecs + 1)] + specs + pace) == nil)
        #expect(
            self.job(Array(job[..<(front - 1)]) + [UInt8(TranscodeWire.maxSpecs)] + specs.dropLast(46) + pace)?
                .specs.count
                == TranscodeWire.maxSpecs)

        let reply = TranscodeWire.encode(TranscodeReply(id: 1, result: .success([])))
        #expect(self.reply(reply) != nil)
        #expect(self.reply(reply.replacing(5, by: 2)) == nil, "neither interim nor final")
        for code in [7, 255] as [UInt8] { #expect(self.reply(reply.replacing(7, by: code)) == nil, "result \(code)") }
        #expect(self.reply(stages: [1, 2, 3, 4]) != nil)
        #expect(self.reply(stages: [1, 1, 2, 3, 4]) == nil)
        #expect(self.reply(stages: [5]) == nil, "an unknown stage")
    }

    @Test(arguments: [0x00, 0x0A, 0x1B, 0x1F, 0x7F, 0x80, 0xC3, 0xFF] as [UInt8])
    func `a failure text with bytes other than printable ASCII is refused`(_ byte: UInt8) {
        let clean: [UInt8] = [1, 1, 0, 0, 0, 0, 0, 2, 3, 65, 66, 67]
        #expect(reply(clean) != nil)
        #expect(reply(clean.replacing(10, by: byte)) == nil)
    }

    @Test func `a BlurHash or a color that is too long or not printable is refused`() throws {
        let most = TranscodeWire.maxBlurhashBytes
        let report = TranscodeWire.encode(TranscodeReply(id: 1, result: .success([WireSamples.report])))
        // The report ends with flags for no hash, no color, no reduction, no damage, no streams, no source and no cost.
        #expect(report.suffix(7) == [0, 0, 0, 0, 0, 0, 0])
        func reply(_ hash: [UInt8], _ color: [UInt8]) -> TranscodeReply? {
            self.reply(
                Array(report[..<(report.count - 7)]) + [1, UInt8(hash.count)] + hash + [1, UInt8(color.count)] + color
                    + [0, 0, 0, 0, 0])
        }
        let (hash, color) = ([UInt8](repeating: 65, count: most), Array("#7a8f3c".utf8))
        #expect(try reply(hash, color)?.result.get().first?.dominantColor == "#7a8f3c")
        #expect(reply(hash + [65], color) == nil)
        #expect(reply(hash, color + [65]) == nil)
        #expect(reply(hash.replacing(9, by: 0x1B), color) == nil)
        #expect(self.reply(report.replacing(report.count - 6, by: 2)) == nil)
        #expect(self.reply(report.replacing(report.count - 5, by: 4)) == nil, "an unknown reduction")
        #expect(self.reply(report.replacing(report.count - 4, by: 2)) == nil, "neither damaged nor whole")
        #expect(self.reply(report.replacing(report.count - 3, by: 2)) == nil, "neither with streams nor without")
        #expect(self.reply(report.replacing(report.count - 2, by: 2)) == nil, "neither with a source nor without")
        #expect(self.reply(report.replacing(report.count - 1, by: 2)) == nil, "neither with a cost nor without")
    }

    @Test(
        arguments: [
            (50, nil, true), (100, 1, true), (49, nil, false), (101, nil, false), (100, 0, false),
        ] as [(UInt8, UInt32?, Bool)])
    func `damage of impossible rows or frames is refused`(_ rows: UInt8, _ frames: UInt32?, _ isTaken: Bool) {
        var report = WireSamples.report
        report.damage = SourceDamage(rows: rows, frames: frames)
        let bytes = TranscodeWire.encode(TranscodeReply(id: 1, result: .success([report])))
        #expect((reply(bytes) != nil) == isTaken)
    }

    @Test func `a codec name that is too long and an unknown sound omission are refused`()
        throws
    {
        var report = WireSamples.report
        report.source = SourceReport(soundOmission: .cut)
        var bytes = TranscodeWire.encode(TranscodeReply(id: 1, result: .success([report])))
        // The reply ends with the sound omission, the flag for a cut video, and the flag for no cost.
        #expect(bytes.suffix(3) == [3, 0, 0])
        for code in [0, 4, 255] as [UInt8] { #expect(reply(bytes.replacing(bytes.count - 3, by: code)) == nil) }
        report.source = nil
        report.streams = StreamFacts(videoCodec: String(repeating: "v", count: TranscodeWire.maxCodecBytes))
        bytes = TranscodeWire.encode(TranscodeReply(id: 1, result: .success([report])))
        let length = try #require(bytes.firstIndex(of: 118)) - 1
        #expect(reply(bytes) != nil)
        #expect(reply(Array(bytes[..<length]) + [bytes[length] + 1, 118] + bytes[(length + 1)...]) == nil)
    }

    @Test(arguments: [(1 << 40, true), ((1 << 40) + 1, false), (.max, false)] as [(UInt64, Bool)])
    func `a duration of more than 2^40 milliseconds is refused`(milliseconds: UInt64, isAccepted: Bool) {
        var (report, other) = (WireSamples.report, WireSamples.report)
        report.durationMilliseconds = milliseconds
        other.source = SourceReport(durationMilliseconds: milliseconds)
        for report in [report, other] {
            let bytes = TranscodeWire.encode(TranscodeReply(id: 1, result: .success([report])))
            #expect((reply(bytes) != nil) == isAccepted)
        }
    }

    @Test func `a failure text that is too long is refused`() {
        let most = TranscodeWire.maxDetailBytes
        let front: [UInt8] = [1, 1, 0, 0, 0, 0, 0, 2]
        #expect(reply(front + [UInt8(most)] + [UInt8](repeating: 65, count: most)) != nil)
        #expect(reply(front + [UInt8(most + 1)] + [UInt8](repeating: 65, count: most + 1)) == nil)
    }

    @Test func `decoding random bytes of any length does not trap`() {
        var generator = SeededGenerator(seed: 20_261_121)
        var accepted = 0
        for round in 0..<20_000 {
            let length = Int.random(in: 0...(round % 300), using: &generator)
            // In half of the rounds, all bytes are small, so that the decoder accepts more fields before it refuses the
            // message.
            let top: UInt8 = round.isMultiple(of: 2) ? 8 : 255
            var bytes = (0..<length).map { _ in UInt8.random(in: 0...top, using: &generator) }
            if !bytes.isEmpty { bytes[0] = TranscodeWire.version }
            if let job = job(bytes) { accepted += TranscodeWire.encode(job) == bytes ? 1 : 1_000_000 }
            if let reply = reply(bytes) { accepted += TranscodeWire.encode(reply) == bytes ? 1 : 1_000_000 }
        }
        #expect(accepted < 1_000_000)
    }
}

extension [UInt8] {
    fileprivate func replacing(_ index: Int, by byte: UInt8) -> [UInt8] {
        var copy = self
        copy[index] = byte
        return copy
    }
}
