import Testing
import TranscodeProtocol

@testable import MediaTranscoder

@Suite struct RateLimitTests {
    @Test func `a rate limit reserves bytes for the sound and for the first burst`() throws {
        let limit = try RateLimit.fitting(bytes: 1_200_000, milliseconds: 10_000, audio: 80_000, share: 1)
        // The rate is eleven twelfths of 9.6 Mbit minus 0.8 Mbit of sound, over ten seconds and one second of buffer.
        #expect(limit == RateLimit(bitsPerSecond: 727_272, bufferBits: 727_272))
    }

    @Test func `a rate limit is nil without a duration, and is refused with too few bytes`() throws {
        #expect(try RateLimit.fitting(bytes: 1_000, milliseconds: nil, audio: 0, share: 1) == nil)
        #expect(throws: TranscodeFailure.self) {
            try RateLimit.fitting(bytes: 1_000, milliseconds: 10_000, audio: 0, share: 1)
        }
        #expect(throws: TranscodeFailure.self) {
            try RateLimit.fitting(bytes: 100_000, milliseconds: 10_000, audio: 96_000, share: 1)
        }
    }

    @Test func `a rate limit for an unlimited size fits the encoder's fields`() throws {
        let limit = try RateLimit.fitting(bytes: .max, milliseconds: 1, audio: 0, share: 1)
        #expect(limit?.bitsPerSecond == 1_000_000_000)
    }
}
