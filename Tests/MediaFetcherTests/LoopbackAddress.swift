import Base
import NotificationModel

/// An address of 127.0.0.0/8. The type can represent no other address, so that the tests can connect only to this
/// machine.
struct LoopbackAddress: Sendable, Hashable {
    /// The lower 24 bits of the address.
    let host: UInt32

    init(_ second: UInt8, _ third: UInt8, _ fourth: UInt8) {
        host = UInt32(second) << 16 | UInt32(third) << 8 | UInt32(fourth)
    }

    var number: UInt32 { 127 << 24 | host }
    var address: IPAddress { .v4(number) }
    var text: String { "127.\(host >> 16).\(host >> 8 & 0xFF).\(host & 0xFF)" }
}
