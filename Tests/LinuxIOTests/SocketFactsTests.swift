import Glibc
import LinuxIO
import TestSupport
import Testing

@Suite struct SocketFactsTests {
    @Test func `unread bytes in a socket are not counted as consumed`() throws {
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        let listener = try OwnedDescriptor.adopt(socket(AF_INET, type, 0), from: "socket")
        let reader = try OwnedDescriptor.adopt(socket(AF_INET, type, 0), from: "socket")
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let (first, second) = (listener.raw, reader.raw)
        let isConnected = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(first, $0, length) == 0 && listen(first, 1) == 0 && getsockname(first, $0, &length) == 0
                    && connect(second, $0, length) == 0
            }
        }
        try #require(isConnected)
        let writer = try OwnedDescriptor.adopt(accept(first, nil, nil), from: "accept")
        var bytes = [UInt8](repeating: 0, count: 10_000)
        #expect(send(writer.raw, bytes, bytes.count, 0) == bytes.count)
        #expect(SocketFacts.consumedBytes(of: second) == 0)
        #expect(recv(second, &bytes, 4_000, Int32(MSG_WAITALL)) == 4_000)
        #expect(SocketFacts.consumedBytes(of: second) == 4_000)
    }

    @Test func `the count of consumed bytes is nil for a descriptor that is no TCP socket`() throws {
        #expect(SocketFacts.consumedBytes(of: -1) == nil)
        let null = try OwnedDescriptor.adopt(open("/dev/null", O_RDONLY | O_CLOEXEC), from: "open /dev/null")
        #expect(SocketFacts.consumedBytes(of: null.raw) == nil)
    }
}
