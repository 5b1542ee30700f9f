import CFFmpeg
import Testing

@testable import MediaTranscoder

struct FrameGridTests {
    private func places(_ times: [Double], rate: Int32) -> [Int64?] {
        var grid = FrameGrid(rate: AVRational(num: rate, den: 1))
        return times.map { grid.place(atSeconds: $0) }
    }

    @Test func `a frame whose time is rounded to milliseconds keeps its position in the grid`() {
        let times = (0..<300).map { (Double($0) * 1_000 / 30).rounded() / 1_000 }
        #expect(places(times, rate: 30) == (0..<300).map { Int64($0) })
    }

    @Test func `every other frame is dropped if the frames come twice as fast as the grid`() {
        #expect(places((0..<6).map { Double($0) / 60 }, rate: 30) == [0, nil, 1, nil, 2, nil])
    }

    @Test func `a pause and a late first frame leave positions of the grid empty`() {
        #expect(places([0.4, 0.44, 0.84, 0.88], rate: 25) == [10, 11, 21, 22])
    }

    @Test func `a frame is dropped if its time is impossible or before the time of the last frame`() {
        #expect(
            places([0, 0.04, 0.02, -3, .infinity, .nan, 1e9, 0.08], rate: 25) == [0, 1, nil, nil, nil, nil, nil, 2])
    }
}
