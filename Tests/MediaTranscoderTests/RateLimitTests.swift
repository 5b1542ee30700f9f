import Testing
import TranscodeProtocol

@testable import MediaTranscoder

@Suite struct RateLimitTests {
    @Test func `the sound and the first burst come out of the bytes`() throws {
        let limit = try RateLimit.fitting(bytes: 1_200_000, milliseconds: 10_000, audio: 80_000, share: 1)
        // Eleven twelfths of 9.6 Mbit less 0.8 Mbit of sound, over ten seconds and one of buffer.
        #expect(limit == RateLimit(bitsPerSecond: 727_272, bufferBits: 727_272))
    }

    @Test func `without a duration there is no limit, and without room a refusal`() throws {
        #expect(try RateLimit.fitting(bytes: 1_000, milliseconds: nil, audio: 0, share: 1) == nil)
        #expect(throws: TranscodeFailure.self) {
            try RateLimit.fitting(bytes: 1_000, milliseconds: 10_000, audio: 0, share: 1)
        }
        #expect(throws: TranscodeFailure.self) {
            try RateLimit.fitting(bytes: 100_000, milliseconds: 10_000, audio: 96_000, share: 1)
        }
    }

    @Test func `endless bytes stay within the encoder's numbers`() throws {
        let limit = try RateLimit.fitting(bytes: .max, milliseconds: 1, audio: 0, share: 1)
        #expect(limit?.bitsPerSecond == 1_000_000_000)
    }
}
