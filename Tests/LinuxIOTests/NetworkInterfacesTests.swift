import Base
import Glibc
import LinuxIO
import NotificationModel
import Testing

struct NetworkInterfacesTests {
    @Test func `new interfaces report no change, and include the loopback address`() throws {
        let interfaces = NetworkInterfaces()
        #expect(!interfaces.haveChanged())
        let addresses = try #require(interfaces.addresses())
        #expect(addresses.contains(try #require(IPAddress("127.0.0.1"))))
        #expect(!addresses.contains(try #require(IPAddress("1.1.1.1"))))
    }

    @Test func `a released NetworkInterfaces instance has closed its descriptor`() {
        // The lowest free number is the same if no descriptor was kept.
        let before = lowestFree()
        for _ in 0..<100 { _ = NetworkInterfaces().haveChanged() }
        #expect(lowestFree() == before)
    }

    private func lowestFree() -> Int32 {
        let descriptor = dup(STDERR_FILENO)
        close(descriptor)
        return descriptor
    }
}
