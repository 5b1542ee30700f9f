import Testing

@testable import MediaTranscoder

struct ChunkTimesTests {
    /// Returns the times at which the frames begin.
    ///
    /// - Parameter chunks: The times of the chunks that are not empty.
    /// - Parameter delayed: The number of frames that the decoder holds back.
    private func times(_ chunks: [Int64], delayed: Int) -> [Int64?] {
        var times = ChunkTimes()
        var begins: [Int64?] = []
        for (index, chunk) in chunks.enumerated() {
            times.add(chunk)
            if index >= delayed { begins.append(times.next()) }
        }
        for _ in 0..<delayed { begins.append(times.next()) }
        return begins
    }

    @Test func `a frame begins at the time of its chunk`() {
        #expect(times([0, 2, 3, 7, 8], delayed: 0) == [0, 2, 3, 7, 8])
    }

    @Test func `a frame that the decoder returns late has the gap of the simultaneous chunk`() {
        #expect(times([0, 1, 2, 3, 7, 8], delayed: 2) == [0, 1, 5, 6, nil, nil])
        #expect(times([4, 5, 6], delayed: 1) == [4, 5, nil])
    }

    @Test func `a chunk without a frame keeps its time`() {
        var times = ChunkTimes()
        times.add(0)
        #expect(times.next() == 0)
        times.add(1)
        times.add(2)
        #expect(times.next() == 2)
    }

    @Test func `chunks that cannot be decoded at the beginning do not delay later frames`() {
        var times = ChunkTimes()
        for chunk in 0..<30 as Range<Int64> { times.add(chunk) }
        #expect(times.next() == 29)
    }

    @Test func `a video with fewer frames than the decoder delays begins at its first chunk`() {
        #expect(times([0, 1], delayed: 4) == [0, nil, nil, nil])
    }
}
