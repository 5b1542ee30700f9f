import Glibc
import Sandbox
import Testing

/// Tests of the names of system calls in the log. Numbers and architectures are those of linux/audit.h.
struct SystemCallNameTests {
    #if arch(x86_64)
    private static let x86: UInt32 = 0x4000_0003
    private static let amd64: UInt32 = 0xC000_003E

    @Test(
        arguments: [
            (257, amd64, "openat"), (0x4000_0001, amd64, "x32 write"), (20, x86, "i386 getpid"),
            (9_999, amd64, "call 9999"), (-1, amd64, "call -1"), (257, 0x1234, "architecture 1234 call 257"),
        ] as [(Int32, UInt32, String)])
    func `a system call is named by number and by interface`(_ number: Int32, _ architecture: UInt32, _ name: String) {
        #expect(SystemCallName.of(number, architecture: architecture) == name)
    }
    #endif

    @Test func `each allowed system call is listed once, and has a reason`() {
        #expect(Set(AllowedCall.all.map(\.name)).count == AllowedCall.all.count)
        #expect(AllowedCall.all.allSatisfy { !$0.reason.isEmpty })
    }
}
