import Testing

@testable import HTTPAPI

struct PreferencesTests {
    @Test(
        arguments: [
            ([], false, nil), ([""], false, nil), (["respond-async"], true, nil), (["Respond-Async"], true, nil),
            (["wait=2"], false, 2), (["wait = \"2\""], false, 2), (["respond-async, wait=10"], true, 10),
            (["respond-async", "wait=10"], true, 10), (["foo=\"a, respond-async\""], false, nil),
            (["foo=\"a\\\", wait=3\", wait=4"], false, 4), (["wait=2; x=y, handling=lenient"], false, 2),
            (["wait=1, wait=2"], false, 1), (["wait=-1"], false, nil), (["wait=1.5"], false, nil),
            (["wait"], false, nil),
            (["wait=\"2"], false, nil), (["wait=99999999999999999999"], false, nil),
            (["wait=9223372036854775807"], false, 3_600), ([", ,respond-async,"], true, nil),
            (["return=minimal;respond-async"], false, nil), (["respond-async=\"\""], true, nil),
        ] as [([String], Bool, Int?)])
    func `preferences are read as RFC 7240 writes them`(fields: [String], respondsAsync: Bool, wait: Int?) {
        let preferences = Preferences(fields: fields)
        #expect(preferences.respondsAsync == respondsAsync)
        #expect(preferences.wait == wait)
    }

    @Test func `what is applied is told`() {
        #expect(Preferences(fields: ["wait=10, respond-async"]).applied == "respond-async, wait=10")
        #expect(!Preferences(fields: ["handling=lenient"]).takesLater)
    }
}
