import Base
import NotificationModel
import NotificationProcessor
import TestSupport
import Testing

/// Tests of the links that the buttons of payloads open.
@Suite struct ActionLinkTests {
    @Test(
        arguments: [
            ("2mee-alert", ["https://app.example.net/week3", nil, nil]),
            ("bloomreach", ["walkapp://walks/5/join", "https://app.example/walks/5/map"]),
            ("bloomreach-android", ["walkapp://walks/5/join", "https://app.example/walks/5/map"]),
            ("blueshift", [nil, nil]), ("blueshift-android", ["bookapp://shelves/poetry/reserve"]),
            ("emarsys", ["https://app.example.net/gift"]), ("iterable", ["https://app.example.net/beans"]),
            ("klaviyo", ["app://mugs"]), ("mindbox", ["https://app.example.net/o/1/t"]),
            ("mixpanel", ["seedapp://swaps/12/join"]), ("mixpanel-android", ["seedapp://swaps/12/join"]),
            ("ntfy", [nil]), ("swrve", ["swimapp://events/17/join"]),
            ("swrve-android", ["swimapp://events/17/join"]), ("wonderpush", ["bakery://loaves/rye/reserve"]),
        ] as [(String, [String?])])
    func `a button has the link that its payload names`(sample: String, links: [String?]) throws {
        let payload = try #require(JSONParser.value(of: Fixtures.bytes("payloads/\(sample).json")).object)
        #expect(DialectTable.standard.read(payload).actions.map(\.link) == links)
    }
}
