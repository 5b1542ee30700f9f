import Base
import NIOCore
import NotificationModel
import Testing

@testable import Features
@testable import HTTPAPI

@Suite struct HotMediaTests {
    private func address(_ index: Int) throws -> MediaAddress {
        try #require(
            MediaAddress(group: "group.default", file: index.hexadecimal(digits: 64) + ".jpg"))
    }

    /// Inserts a file that has just been read.
    private func insert(_ count: Int, _ index: Int, into hot: inout HotMedia) throws {
        hot.insert(bytes(count), of: try address(index), readIn: hot.generation)
    }

    private func bytes(_ count: Int) -> ByteBuffer { ByteBuffer(repeating: 7, count: count) }

    @Test func `all files together stay within the limit`() throws {
        var hot = HotMedia(maxBytes: 1_000)
        for index in 0..<500 {
            try insert(1 + index * 37 % 400, index, into: &hot)
            #expect(hot.byteCount <= 1_000)
            #expect(hot.bytes(of: try address(index)) != nil)
        }
        try insert(1_001, 1_000, into: &hot)
        #expect(hot.bytes(of: try address(1_000)) == nil)
    }

    @Test func `a file that is downloaded often stays when others come and go`() throws {
        var hot = HotMedia(maxBytes: 1_000)
        try insert(100, 0, into: &hot)
        for index in 1..<200 {
            #expect(hot.bytes(of: try address(0)) != nil, "before file \(index)")
            try insert(100, index, into: &hot)
        }
    }

    @Test func `a removed file leaves its bytes to others`() throws {
        var hot = HotMedia(maxBytes: 1_000)
        try insert(600, 0, into: &hot)
        try insert(600, 0, into: &hot)
        #expect(hot.byteCount == 600)
        hot.remove(try address(0))
        #expect(hot.byteCount == 0)
        #expect(hot.bytes(of: try address(0)) == nil)
        try insert(600, 1, into: &hot)
        let generation = hot.generation
        hot.removeAll()
        #expect(hot.byteCount == 0)
        hot.insert(bytes(1), of: try address(1), readIn: generation)
        #expect(hot.bytes(of: try address(1)) == nil, "a file that was read before the removal")
    }
}
