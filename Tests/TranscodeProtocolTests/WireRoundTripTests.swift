import Base
import Testing
import TranscodeProtocol

struct WireRoundTripTests {
    @Test(arguments: WireSamples.jobs)
    func `a job does not change when it is encoded and decoded`(_ job: TranscodeJob) throws {
        #expect(try TranscodeWire.decodeJob(TranscodeWire.encode(job)) == job)
    }

    @Test(arguments: WireSamples.replies)
    func `a reply does not change when it is encoded and decoded`(_ reply: TranscodeReply) throws {
        #expect(try TranscodeWire.decodeReply(TranscodeWire.encode(reply)) == reply)
    }

    @Test func `the longest messages are within the limit of the socket`() {
        for bytes in [
            TranscodeWire.encode(WireSamples.longestJob), TranscodeWire.encode(WireSamples.maxSuccess),
            TranscodeWire.encode(WireSamples.maxFailure),
        ] { #expect(bytes.count <= TranscodeWire.maxBytes) }
    }

    @Test func `a job is encoded to the expected bytes`() {
        let order = RenditionSpec(
            role: .thumbnail, imageSide: 0x0201, videoSide: 2, copiedVideoSide: 3, imageBytes: 3, jpegQuality: 90,
            videoBytes: 4, soundBytes: 6,
            stillAtMilliseconds: 5, clip: Rectangle<UInt32>(x: 1, y: 2, width: 3, height: 0x0102_0304), minAspect: 2,
            isMask: true, copiesHEVC: true, takesVideos: false)
        let job = TranscodeJob(
            id: 0x0403_0201, format: .png,
            limits: DecodeLimits(
                scalablePixels: 6, decodedBytes: 7, frames: 8, durationMilliseconds: 9, scans: 10), specs: [order],
            deadline: 11, showsDamage: true, isPart: true)
        let wanted: [[UInt8]] = [
            [1], [1, 2, 3, 4], [2], wide(6), wide(7), [8, 0, 0, 0], wide(9), [10, 0, 0, 0],
            [1], wide(11), [1],
            [2], [1, 2, 0, 0], [2, 0, 0, 0], [3, 0, 0, 0], wide(3), [90], wide(4), wide(6), [1, 5, 0, 0, 0],
            [1, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 3, 2, 1], [1, 2, 0, 0, 0], [1], [1], [0], [1], [0],
            // The bytes are the pace of 1.25 in thousandths.
            [0xE2, 4, 0, 0], [1], [1],
        ]
        #expect(TranscodeWire.encode(job) == wanted.flatMap { $0 })
    }

    @Test func `a reply is encoded to the expected bytes`() {
        let report = RenditionReport(
            role: .poster, format: .gif, width: 0x0201, height: 2, bytes: 3, frames: 4, durationMilliseconds: nil,
            blurhash: "L0", dominantColor: nil, reduction: .still,
            damage: SourceDamage(rows: 81, frames: 2), streams: StreamFacts(videoCodec: "vp9", channels: 2),
            source: SourceReport(frames: 3, soundOmission: .cut, isCut: true))
        let stage = TranscodeStage(name: .encode, microseconds: 7)
        let success = TranscodeReply(
            id: 0x0403_0201, isInterim: true, result: .success([report]), stages: [stage])
        let front: [[UInt8]] = [[1], [1, 2, 3, 4], [1], [1], [4], wide(7)]
        let reports: [[UInt8]] =
            [[0], [1], [3], [3], [1, 2, 0, 0], [2, 0, 0, 0], wide(3), [4, 0, 0, 0], [0], [0], [0]] + [
                [1, 2, 76, 48], [0], [2], [1], [81], [1, 2, 0, 0, 0],
                [1], [1, 3, 118, 112, 57], [0], [0], [0], [1, 2, 0, 0, 0], [0],
                [1], [1, 3, 0, 0, 0], [0], [0, 0, 0, 0, 0, 0], [1, 3], [1], [0],
            ]
        #expect(TranscodeWire.encode(success) == (front + reports).flatMap { $0 })
        var costly = success
        costly.cost = TranscodeCost(ordered: 5, least: 6, made: nil)
        #expect(
            TranscodeWire.encode(costly) == (front + reports).dropLast().flatMap { $0 } + [1] + wide(5) + wide(6) + [0])
        let failure = TranscodeReply(id: 1, result: .failure(TranscodeFailure(.tooLarge, "no")))
        #expect(TranscodeWire.encode(failure) == [1, 1, 0, 0, 0, 0, 0, 4, 2] + Array("no".utf8))
    }

    private func wide(_ value: UInt8) -> [UInt8] { [value, 0, 0, 0, 0, 0, 0, 0] }

    /// Returns the text of a failure as it arrives.
    private func detail(_ sent: String) throws -> String? {
        let reply = TranscodeReply(id: 1, result: .failure(TranscodeFailure(.corrupt, sent)))
        guard case .failure(let failure) = try TranscodeWire.decodeReply(TranscodeWire.encode(reply)).result else {
            return nil
        }
        return failure.detail
    }

    @Test(arguments: [
        ("two\nlines\r\n\u{0}", "twolines"), ("tab\there", "tabhere"), ("\u{1B}[31mred", "[31mred"),
        ("naïve café ☕️", "nave caf "), ("\u{7F}~ !", "~ !"), ("", ""), ("☕️", ""),
    ])
    func `the text of a failure arrives as printable ASCII on one line`(_ sent: String, _ arrived: String) throws {
        #expect(try detail(sent) == arrived)
    }

    @Test func `other characters are removed from the text of a failure before the text is cut`() throws {
        let most = TranscodeWire.maxDetailBytes
        let exact = String(repeating: "x", count: most)
        #expect(try detail(exact) == exact)
        #expect(try detail(exact + "y") == exact)
        #expect(try detail(String(repeating: "é\n", count: 500) + exact + "y") == exact)
        #expect(try detail(String(repeating: "long ", count: 100_000))?.utf8.count == most)
    }
}
