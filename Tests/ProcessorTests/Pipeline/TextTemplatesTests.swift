import Authentication
import Base
import NotificationModel
import NotificationProcessor
import TestSupport
import Testing

/// Tests of the operator's templates in results and in forwarded payloads.
@Suite(.timeLimit(.minutes(1))) struct TextTemplatesTests {
    private static let failure = FakeFetcher.Answer.failure(MediaFailure(.httpStatus, "404"))
    private static let url = "https://a.example/1"
    private static let twoMee =
        #"{"aps":{"alert":{"title":"T","body":"B"}},"appear2mee":{"fbText":"F","kind":"image","urls":["\#(url)"],"id":"m"}}"#

    private func result(
        _ payload: String, says: ForwardedTexts = .success, missing: Bool = false,
        _ change: (inout NotificationRequest) -> Void = { _ in }
    ) async throws -> ProcessedNotification {
        var rules = PayloadRules(mediaURLs: MediaURLs(base: "https://p.example"))
        var (every, sendios) = (TextTemplates.Lines(), TextTemplates.Lines())
        every.title = try TextTemplate("{title} · {app}")
        sendios.title = try TextTemplate("{title} [modified]")
        rules.texts.lines = ["*": every, "sendios": sendios]
        rules.texts.app = "Shop"
        rules.forwardedTexts = says
        let bench = PipelineBench(missing ? [Self.url: Self.failure] : [:], rules: rules)
        return try #require(try await bench.process(bench.request(payload, change)).first)
    }

    @Test func `the title of a Sendios push says that it is modified`() async throws {
        let payload = #"""
            {"aps":{"alert":{"title":"T","body":"B"},"mutable-content":1},"data":{"push_id":"p","image_url":"\#(Self.url)"}}
            """#
        for missing in [false, true] {
            let notification = try await result(payload, missing: missing)
            #expect(notification.text == NotificationText(title: "T [modified]", body: "B"))
        }
    }

    @Test func `the templates apply to the success text, the fallback text and the expiry text`() async throws {
        #expect(try await result(Self.twoMee).text == NotificationText(title: "T · Shop", body: "B"))
        #expect(try await result(Self.twoMee, missing: true).text == NotificationText(title: "T · Shop", body: "F"))
        let expired = Self.twoMee.replacing(#""id":"m""#, with: #""playTime":1,"expiry":1"#)
        let text = try await result(expired).text
        #expect(text == NotificationText(title: "T · Shop", body: "Sorry, opportunity missed!"))
        let plain = try await result(#"{"aps":{"alert":"B"}}"#)
        #expect(plain.outcome == .passthrough && plain.text == NotificationText(title: "Shop", body: "B"))
    }

    @Test(arguments: [
        #"{"aps":{"content-available":1},"image":"https://a.example/1"}"#, #"{"aps":{"badge":3}}"#,
        #"{"unknown":1}"#,
    ])
    func `a notification without a text gets none from a template`(payload: String) async throws {
        let notification = try await result(payload)
        #expect(notification.text.isBlank)
    }

    @Test func `a rejected request, and a recipient without alerts, get no text from a template`() async throws {
        #expect(try await result(Self.twoMee) { $0.permissions.service = false }.text.title == "T")
        #expect(try await result(Self.twoMee) { $0.permissions.alert = false }.text.isEmpty)
    }

    @Test func `the original alert at the end of the budget has no template`() throws {
        var rules = PayloadRules()
        var every = TextTemplates.Lines()
        every.title = try TextTemplate("{title} · {app}")
        rules.texts.lines = ["*": every]
        let bench = PipelineBench([Self.url: .stalls], rules: rules)
        let request = try bench.request(Self.twoMee) { $0.onExpiry = .original }
        _ = bench.start(request)
        bench.executor.turn()
        bench.turn(to: request.budget.deadline)
        #expect(bench.emissions.map(\.text) == [NotificationText(title: "T", body: "B")])
    }

    @Test(arguments: [
        (ForwardedTexts.success, false, #"{"title":"T","body":"B"}"#),
        (.success, true, #"{"title":"T","body":"B"}"#), (.asShown, false, #"{"title":"T · Shop","body":"B"}"#),
        (.asShown, true, #"{"title":"T · Shop","body":"F"}"#),
    ])
    func `the forwarded alert has the templates only with the setting as-shown`(
        says: ForwardedTexts, missing: Bool, alert: String
    ) async throws {
        let push = try await result(Self.twoMee, says: says, missing: missing).json["push"]["payload"]
        #expect(JSONWriter.text(of: push["aps"]["alert"] ?? .null) == alert)
    }

    @Test func `a forwarded payload without a text gets none from a template`() async throws {
        let push = try await result(#"{"aps":{"badge":3},"image":"\#(Self.url)"}"#, says: .asShown).json["push"]
        #expect(push["payload"]["aps"] == ["badge": 3])
    }

    @Test func `the problem of a line without a text counts the text before its template`() async throws {
        let notification = try await result(#"{"aps":{"alert":{"title-loc-key":"K","body":"B"}}}"#)
        #expect(notification.problem?.contains("K (title)") == true)
        #expect(notification.text.title == "Shop")
    }
}
