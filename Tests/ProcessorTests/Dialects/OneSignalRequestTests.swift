import Base
import NotificationModel
import Testing

@testable import NotificationProcessor

@Suite struct OneSignalRequestTests {
    @Test(
        arguments: [
            (#"{"app_id":"a","contents":{}}"#, "app_id+contents"),
            (#"{"app_id":"a","headings":{}}"#, "app_id+headings"),
            (#"{"app_id":"a","included_segments":[]}"#, "app_id+included_segments"),
            (#"{"app_id":"a","include_aliases":{}}"#, "app_id+include_aliases"), (#"{"app_id":"a"}"#, nil),
            (#"{"contents":{}}"#, nil), (#"{"custom":"{\"i\":\"x\"}"}"#, "custom.i"),
            (#"{"custom":"{\"a\":{}}"}"#, nil), (#"{"custom":"x"}"#, nil),
        ] as [(String, String?)])
    func `a request and Android's data are recognised by their keys`(text: String, rule: String?) throws {
        #expect(OneSignalDialect().detect(try #require(try JSONParser.value(of: text).object)) == rule)
    }

    @Test(arguments: [([], "E"), (["fr"], "E"), (["de-AT"], "D"), (["fr", "de"], "D")] as [([String], String)])
    func `the text of a request is in the recipient's language or in English`(languages: [String], body: String) throws
    {
        let text = #"{"app_id":"a","contents":{"de":"D","en":"E"}}"#
        let payload = OneSignalDialect().read(
            JSONNode(try JSONParser.value(of: text)), in: languages.compactMap { LanguageTag($0) }.flatMap(\.fallbacks))
        #expect(payload.successText == NotificationText(body: body))
    }

    @Test func `an Android image that is not a URL is a resource name, and is not a media item`() throws {
        let text = #"{"app_id":"a","contents":{},"big_picture":"photo","large_icon":"https://a/1"}"#
        let payload = OneSignalDialect().read(JSONNode(try JSONParser.value(of: text)))
        #expect(payload.media.map(\.path?.description) == ["/large_icon"])
    }
}
