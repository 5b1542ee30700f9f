import Base
import LinuxIO
import NotificationModel
import Testing

struct SourceAddressTests {
    @Test func `the source address for the loopback network is the loopback address`() {
        #expect(SourceAddress.towards(.v4(0x7f00_0001)) == .v4(0x7f00_0001))
        #expect(SourceAddress.towards(.v4(0x7f00_0203)) == .v4(0x7f00_0001))
        // A machine without IPv6 has no route to this address.
        #expect([nil, .v6(1)].contains(SourceAddress.towards(.v6(1))))
    }
}
