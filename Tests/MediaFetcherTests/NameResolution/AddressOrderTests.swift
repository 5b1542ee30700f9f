import Base
import NotificationModel
import Testing

@testable import MediaFetcher

/// The tests of the examples in RFC 6724 §10.2 and of each rule.
struct AddressOrderTests {
    struct Case: Sendable {
        let rule: String
        /// The addresses in the expected order, each with its source address; "" if the machine has no route to it.
        let order: [(address: String, source: String)]

        init(_ rule: String, _ order: (String, String)...) {
            self.rule = rule
            self.order = order
        }
    }

    private static let cases = [
        Case("the same scope", ("2001:db8:1::1", "2001:db8:1::2"), ("198.51.100.121", "169.254.13.78")),
        Case("the same scope", ("198.51.100.121", "198.51.100.117"), ("2001:db8:1::1", "fe80::1")),
        Case("the higher precedence", ("2001:db8:1::1", "2001:db8:1::2"), ("10.1.2.3", "10.1.2.4")),
        Case("the smaller scope", ("fe80::1", "fe80::2"), ("2001:db8:1::1", "2001:db8:1::2")),
        Case("the longer prefix", ("2001:db8:1::1", "2001:db8:1::2"), ("2001:db8:3ffe::1", "2001:db8:3f44::2")),
        Case("the same label", ("2002:c633:6401::1", "2002:c633:6401::2"), ("2001:db8:1::1", "2002:c633:6401::2")),
        Case("the higher precedence", ("2001:db8:1::1", "2001:db8:1::2"), ("2002:c633:6401::1", "2002:c633:6401::2")),
        Case("those that can be reached", ("192.0.2.1", "192.0.2.9"), ("2001:db8:1::1", "")),
        Case("the loopback first", ("::1", "::1"), ("127.0.0.1", "127.0.0.1")),
        Case("unique local addresses last", ("192.0.2.1", "192.0.2.9"), ("fd00::1", "fd00::2")),
    ]

    @Test(arguments: cases)
    func `addresses are sorted in the expected order from either initial order`(_ test: Case) {
        let right = test.order.compactMap { IPAddress($0.address) }
        #expect(right.count == test.order.count)
        for given in [right, right.reversed()] {
            let sorted = AddressOrder.sorted(given) { address in
                test.order.first { IPAddress($0.address) == address }.flatMap { IPAddress($0.source) }
            }
            #expect(sorted == right, "\(test.rule)")
        }
    }

    @Test func `addresses of equal rank keep the order of the server`() {
        let given = ["192.0.2.9", "198.51.100.1", "192.0.2.1", "203.0.113.7"].compactMap { IPAddress($0) }
        #expect(AddressOrder.sorted(given) { _ in IPAddress("192.0.2.2") } == given)
    }
}
