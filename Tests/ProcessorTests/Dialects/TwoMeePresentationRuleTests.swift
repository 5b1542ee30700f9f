import Base
import NotificationModel
import NotificationProcessor
import Testing

/// Tests of presentations by a value in the keys of a message, with the example of the vendor's guide.
@Suite struct TwoMeePresentationRuleTests {
    private static func table() throws -> DialectTable {
        var settings = DialectTable.Settings()
        var dark = TwoMeePresentationRule.Changes()
        (dark.faceBackgroundColor, dark.headPosition) = ("#000000cc", .center)
        var still = TwoMeePresentationRule.Changes()
        (still.dismissTime, still.headPosition) = (.some(nil), .topLeft)
        settings.twoMee.presentationRules = [
            try TwoMeePresentationRule("dark", dark), try TwoMeePresentationRule("level == 7", still),
        ]
        return DialectTable(settings)
    }

    private func presentation(_ members: String, kind: String = "face") throws -> JSONValue? {
        let payload =
            #"{"aps":{"alert":"A"},"appear2mee":{"kind":"\#(kind)","urls":["a.mp4"],"fbText":"F",\#(members)}}"#
        let object = try #require(try JSONParser.value(of: payload).object)
        return try Self.table().read(object).details["presentation"]
    }

    @Test(arguments: [
        #""keys":{"presentation":"dark"}"#, #""keys":[["presentation","dark"]]"#,
        #""keys":[{"key":"presentation","value":"dark"}]"#, #""keys":"{\"presentation\":\"dark\"}""#,
    ])
    func `a face with the value dark has the dark background`(members: String) throws {
        let presentation = try presentation(members)
        #expect(presentation["backgroundColor"] == "#000000cc")
        #expect(presentation["headPosition"] == "center")
        #expect(presentation["dismissTime"] == .number(JSONNumber(literal: "5.0")))
    }

    @Test(arguments: [
        #""keys":{"presentation":"light"}"#, #""keys":{"theme":"dark"}"#, #""keys":{"presentation":["dark"]}"#,
        #""keys":{"presentation":null}"#, #""id":"m""#, #""presentation":{}"#, #""keys":{"presentation":"Dark"}"#,
    ])
    func `a face without the value has the background of the settings`(members: String) throws {
        #expect(try presentation(members)["backgroundColor"] == "#00000033")
    }

    @Test func `a later rule and the payload's own presentation take precedence`() throws {
        let both = try presentation(#""keys":{"presentation":"dark","level":7}"#)
        #expect(both["headPosition"] == "top-left" && both["backgroundColor"] == "#000000cc")
        #expect(both["dismissTime"] == .null)
        let own = try presentation(
            ##""keys":{"presentation":"dark"},"presentation":{"backgroundColor":"#112233","headPosition":"top-right"}"##
        )
        #expect(own["backgroundColor"] == "#112233ff" && own["headPosition"] == "top-right")
    }

    @Test func `a message that is no face keeps its own background`() throws {
        #expect(try presentation(#""keys":{"presentation":"dark"}"#, kind: "video")["backgroundColor"] == "#00000099")
    }
}
