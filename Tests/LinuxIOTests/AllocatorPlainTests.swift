import Glibc
import Testing

@testable import LinuxIO

/// Tests of the C library's allocator. The sanitizer replaces this allocator by another allocator.
@Suite struct AllocatorPlainTests {
    @Test func `the allocator releases free blocks between used blocks if they exceed the permitted bytes`() throws {
        // The blocks come from the heap, because they are smaller than the threshold for separate mappings.
        let blocks = (0..<1_000).map { _ in
            (large: unsafe malloc(100 << 10)!, used: unsafe malloc(4 << 10)!)
        }
        for block in blocks { unsafe memset(block.large, 1, 100 << 10) }
        for block in blocks { unsafe free(block.large) }
        defer { for block in blocks { unsafe free(block.used) } }
        let before = try #require(ProcessMemory.privateBytes(of: getpid()))

        Allocator.trim(beyond: 1 << 40)
        let kept = try #require(ProcessMemory.privateBytes(of: getpid()))
        #expect(kept > before - 32 << 20)

        Allocator.trim(beyond: 64 << 20)
        let left = try #require(ProcessMemory.privateBytes(of: getpid()))
        #expect(left < before - 64 << 20)
    }
}
