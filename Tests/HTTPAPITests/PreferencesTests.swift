import Testing

@testable import HTTPAPI

struct PreferencesTests {
    @Test(
        arguments: [
            ([], false, nil), ([""], false, nil), (["respond-async"], true, nil), (["Respond-Async"], true, nil),
            (["wait=2"], false, 2), (["wait = \"2\""], false, 2), (["respond-async, wait=10"], true, 10),
            (["respond-async", "wait=10"], true, 10), (["foo=\"a, respond-async\""], false, nil),
            (["foo=\"a\\\", wait=3\", wait=4"], false, 4), (["wait=2; x=y, handling=lenient"], false, 2),
            (["wait=1, wait=2"], false, 1), (["wait=-1"], false, nil), (["wait=0.5"], false, 0.5),
            (["wait=1.5"], false, 1.5), (["wait=0.0004"], false, 0), (["wait=0"], false, 0), (["wait=.5"], false, nil),
            (["wait=1."], false, nil), (["wait=1.2.3"], false, nil), (["wait=1e3"], false, nil),
            (["wait=inf"], false, nil), (["wait"], false, nil), (["wait=\"2"], false, nil),
            (["wait=99999999999999999999"], false, 3_600), (["wait=9223372036854775807"], false, 3_600),
            (["wait=soon, wait=2"], false, nil), ([", ,respond-async,"], true, nil),
            (["return=minimal;respond-async"], false, nil), (["respond-async=\"\""], true, nil),
            (["respond-async=no"], false, nil),
        ] as [([String], Bool, Double?)])
    func `preferences are parsed as RFC 7240 defines them`(fields: [String], respondsAsync: Bool, wait: Double?) {
        let preferences = Preferences(fields: fields)
        #expect(preferences.respondsAsync == respondsAsync)
        #expect(preferences.wait == wait.map { .seconds($0) })
    }

    @Test(arguments: [
        (["wait=10, respond-async"], "respond-async, wait=10"), (["wait=0.5"], "wait=0.5"),
        (["wait=2.50"], "wait=2.5"), (["wait=1.0"], "wait=1"), (["wait=0.001"], "wait=0.001"),
        (["wait=7200"], "wait=3600"), (["wait=soon, respond-async"], "respond-async"),
        (["respond-async=no, wait=2"], "wait=2"), (["handling=lenient, wait=2"], "wait=2"),
        (["wait=soon"], ""), (["handling=lenient"], ""),
    ])
    func `an ignored preference is not reported as applied`(fields: [String], applied: String) {
        #expect(Preferences(fields: fields).applied == applied)
        #expect(Preferences(fields: fields).takesLater == !applied.isEmpty)
    }
}
