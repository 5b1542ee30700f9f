import NIOCore
import NotificationModel
import Primitives
import Testing

@testable import HTTPAPI

@Suite struct HotMediaTests {
    private func address(_ index: Int) throws -> MediaAddress {
        try #require(
            MediaAddress(group: "group.default", file: index.hexadecimal(digits: 64) + ".jpg"))
    }

    private func bytes(_ count: Int) -> ByteBuffer { ByteBuffer(repeating: 7, count: count) }

    @Test func `all files together stay within the limit`() throws {
        var hot = HotMedia(mostBytes: 1_000)
        for index in 0..<500 {
            hot.insert(bytes(1 + index * 37 % 400), of: try address(index))
            #expect(hot.byteCount <= 1_000)
            #expect(hot.bytes(of: try address(index)) != nil)
        }
        hot.insert(bytes(1_001), of: try address(1_000))
        #expect(hot.bytes(of: try address(1_000)) == nil)
    }

    @Test func `a file that is downloaded often stays when others come and go`() throws {
        var hot = HotMedia(mostBytes: 1_000)
        hot.insert(bytes(100), of: try address(0))
        for index in 1..<200 {
            #expect(hot.bytes(of: try address(0)) != nil, "before file \(index)")
            hot.insert(bytes(100), of: try address(index))
        }
    }

    @Test func `a removed file leaves its bytes to others`() throws {
        var hot = HotMedia(mostBytes: 1_000)
        hot.insert(bytes(600), of: try address(0))
        hot.insert(bytes(600), of: try address(0))
        #expect(hot.byteCount == 600)
        hot.remove(try address(0))
        #expect(hot.byteCount == 0)
        #expect(hot.bytes(of: try address(0)) == nil)
        hot.insert(bytes(600), of: try address(1))
        hot.removeAll()
        #expect(hot.byteCount == 0)
    }
}
