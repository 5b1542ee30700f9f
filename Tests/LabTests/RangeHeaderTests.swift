import Lab
import Testing

struct RangeHeaderTests {
    @Test(
        arguments: [
            ("bytes=0-0", 0..<1), ("bytes=0-9", 0..<10), ("bytes=5-", 5..<10), ("bytes=9-9", 9..<10),
            ("bytes=5-99", 5..<10), ("BYTES=5-6", 5..<7), ("bytes=-3", 7..<10), ("bytes=-10", 0..<10),
            ("bytes=-11", 0..<10), ("bytes=0-999999999999999999", 0..<10), ("bytes=-999999999999999999", 0..<10),
            ("bytes=10-", nil), ("bytes=10-20", nil), ("bytes=999999999999999999-", nil), ("bytes=-0", nil),
        ] as [(String, Range<Int>?)])
    func `a range selects its bytes of a body of ten bytes`(value: String, bytes: Range<Int>?) throws {
        let range = try #require(RangeHeader(value))
        #expect(range.bytes(of: 10) == bytes)
    }

    @Test(arguments: [0, 1]) func `a range selects all of a short body`(size: Int) throws {
        let all = size == 0 ? nil : 0..<size
        for value in ["bytes=0-", "bytes=-5", "bytes=0-100"] {
            let range = try #require(RangeHeader(value))
            #expect(range.bytes(of: size) == all, "\(value)")
        }
    }

    @Test(arguments: [
        "", "bytes", "bytes=", "bytes=-", "bytes=5", "bytes=6-5", "bytes=0-1,3-4", "bytes=0-1-2", "bytes=a-b",
        "bytes=+1-2", "bytes= 0-1", "items=0-1", "bytes=1000000000000000000000-", "bytes=0-9999999999999999999",
        "bytes=٣-", "bytes=--1",
    ])
    func `a malformed range is refused`(value: String) {
        #expect(RangeHeader(value) == nil)
    }
}
