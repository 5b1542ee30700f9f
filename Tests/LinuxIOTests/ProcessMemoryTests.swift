import Glibc
import LinuxIO
import NotificationModel
import TestSupport
import Testing

/// Tests of process memory as the kernel counts it. Each test measures a separate process.
@Suite(.disabled(if: isUnderThreadSanitizer, "the sanitizer's own memory changes meanwhile"))
struct ProcessMemoryTests {
    @Test func `private memory includes the written pages of a process until they are unmapped`() async {
        await #expect(processExitsWith: .success) {
            let before = try #require(ProcessMemory.privateBytes(of: getpid()))
            let flags = MAP_PRIVATE | MAP_ANONYMOUS
            let pages = try #require(mmap(nil, 64 << 20, PROT_READ | PROT_WRITE, flags, -1, 0))
            try #require(pages != MAP_FAILED)
            memset(pages, 1, 64 << 20)
            let written = try #require(ProcessMemory.privateBytes(of: getpid()))
            #expect((60 << 20...72 << 20).contains(written - before))
            munmap(pages, 64 << 20)
            let after = try #require(ProcessMemory.privateBytes(of: getpid()))
            #expect(after - before < 8 << 20)
        }
    }

    @Test func `private memory does not include the pages of a mapped file`() async {
        await #expect(processExitsWith: .success) {
            let file = try AnonymousFile.create(in: "/tmp")
            try FileSystem.write([UInt8](repeating: 1, count: 32 << 20)[...], to: file.descriptor)
            let before = try #require(ProcessMemory.privateBytes(of: getpid()))
            let pages = mmap(nil, 32 << 20, PROT_READ, MAP_PRIVATE | MAP_POPULATE, file.descriptor, 0)
            try #require(pages != MAP_FAILED)
            let after = try #require(ProcessMemory.privateBytes(of: getpid()))
            #expect(after - before < 8 << 20)
        }
    }

    @Test func `a process that does not exist has no private memory`() {
        #expect(ProcessMemory.privateBytes(of: .max) == nil)
    }
}
