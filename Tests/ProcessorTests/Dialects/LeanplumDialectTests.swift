import Base
import NotificationModel
import Testing

@testable import NotificationProcessor

@Suite struct LeanplumDialectTests {
    private func read(_ text: String) throws -> PushPayload {
        LeanplumDialect().read(JSONNode(try JSONParser.value(of: text)))
    }

    @Test(
        arguments: [
            (#"{"LP_URL":"u"}"#, "LP_URL"), (#"{"LP_URL":"u","_lpm":1}"#, "LP_URL"), (#"{"_lpm":5001}"#, "_lpm"),
            (#"{"_lpm":"5001"}"#, "_lpm"), (#"{"LP_URL":7,"_lpm":"m"}"#, "_lpm"), (#"{"LP_URL":7}"#, nil),
            (#"{"_lpm":{}}"#, nil), (#"{"_lpm":""}"#, nil), (#"{"lp_url":"u"}"#, nil), (#"{"_lpx":{}}"#, nil),
            ("{}", nil),
        ] as [(String, String?)])
    func `a Leanplum payload is recognised by its image or its message`(text: String, rule: String?) throws {
        let object = try #require(try JSONParser.value(of: text).object)
        #expect(LeanplumDialect().detect(object) == rule)
    }

    @Test func `only LP_URL is read as a media item of a Leanplum payload`() throws {
        let item = MediaReference(url: "u", path: JSONPath([.key("LP_URL")]))
        #expect(try read(#"{"LP_URL":"u","_lpm":1,"image":"v"}"#).media == [item])
    }

    @Test(
        arguments: [
            (#"{"_lpm":5001}"#, "5001"), (#"{"_lpu":"u","_lpm":"m"}"#, "m"), (#"{"_lpv":"v","_lpu":"u"}"#, "u"),
            (#"{"_lpn":"n","_lpm":{}}"#, "n"), (#"{"_lpv":"v"}"#, "v"), (#"{"_lpx":"x"}"#, nil),
        ] as [(String, String?)])
    func `the message ID is the value of the first ID key that exists`(text: String, expected: String?) throws {
        #expect(try read(text).providerID == expected)
    }

    @Test func `the details contain the action that opens the message`() throws {
        let payload = try read(#"{"_lpx":{"__name__":"Open URL","URL":"app://x"}}"#)
        let action: JSONValue = ["__name__": "Open URL", "URL": "app://x"]
        #expect(payload.details == ["link": "app://x", "openAction": action])
        let other = try read(#"{"_lpx":{"__name__":"Alert","Title":"t"}}"#)
        #expect(other.details == ["openAction": ["__name__": "Alert", "Title": "t"]])
    }

    @Test func `the success text is the text of the alert, and the payload has no fallback text`() throws {
        let payload = try read(#"{"aps":{"alert":{"title":"t","body":"b"}},"_lpm":1}"#)
        #expect(payload.successText == NotificationText(title: "t", body: "b"))
        #expect(payload.fallbackText == nil)
    }

    @Test(arguments: [
        #"{"LP_URL":7,"_lpm":null,"_lpx":7}"#, #"{"LP_URL":null,"_lpm":{},"_lpx":"{\"URL\":\"u\""}"#,
        #"{"LP_URL":["u"],"_lpm":[1],"_lpx":["u"]}"#, #"{"LP_URL":"","_lpm":true}"#,
        #"{"LP_URL":"u","LP_URL":7,"_lpx":{"URL":"u"},"_lpx":null}"#,
    ])
    func `a value of a wrong type counts as missing`(text: String) throws {
        #expect(try read(text) == PushPayload())
    }
}
