import Base
import NotificationModel
import Testing

@testable import NotificationProcessor

@Suite struct WebEngageDialectTests {
    private func read(_ text: String) throws -> PushPayload {
        WebEngageDialect().read(JSONNode(try JSONParser.value(of: text)))
    }

    @Test(arguments: [
        (#"{"source":"webengage"}"#, true), (#"{"source":"webengage","expandableDetails":7}"#, true),
        (#"{"source":"WebEngage"}"#, false), (#"{"source":7}"#, false), (#"{"source":["webengage"]}"#, false),
        (#"{"expandableDetails":{"image":"u"}}"#, false), ("{}", false),
    ])
    func `a WebEngage payload is recognised by its source`(text: String, isIts: Bool) throws {
        let object = try #require(try JSONParser.value(of: text).object)
        #expect(WebEngageDialect().detect(object) == (isIts ? "source=webengage" : nil))
    }

    @Test func `the media are listed in the order banner, cards of a carousel, tiles`() throws {
        let media = try read(
            """
            {"expandableDetails":{"tiles":[{"image":"t"}],"items":[{"image":"a"},{"text":"x"},{"image":"b"}],"image":"i"}}
            """
        ).media
        #expect(media.map(\.url) == ["i", "a", "b", "t"])
        #expect(
            media.map(\.path?.description) == [
                "/expandableDetails/image", "/expandableDetails/items/0/image", "/expandableDetails/items/2/image",
                "/expandableDetails/tiles/0/image",
            ])
        #expect(media.allSatisfy { $0.identifier == nil && $0.declaredType == nil && $0.role == .attachment })
    }

    @Test(arguments: [(#""TILES""#, true), (#""BIG_PICTURE""#, false), (#""tiles""#, false), ("7", false)])
    func `the thumbnail of the image is hidden if the style is TILES`(style: String, isHidden: Bool) throws {
        let media = try read(
            #"{"expandableDetails":{"style":\#(style),"image":"i","tiles":[{"image":"t"}]}}"#
        ).media
        #expect(media.map(\.options.thumbnailHidden) == [isHidden, false])
    }

    @Test func `the dialect reads the IDs and the link of a WebEngage payload`() throws {
        let payload = try read(
            """
            {"notification_id":"n","experiment_id":"~1","expandableDetails":{"cta1":{"actionLink":"app://x"}}}
            """)
        #expect(payload.providerID == "n")
        #expect(payload.details == ["link": "app://x", "experimentId": "~1"])
    }

    @Test func `the success text is the text of the alert, and the payload has no fallback text`() throws {
        let payload = try read(#"{"aps":{"alert":{"title":"t","body":"b"}},"title":"x"}"#)
        #expect(payload.successText == NotificationText(title: "t", body: "b"))
        #expect(payload.fallbackText == nil)
    }

    @Test(arguments: [
        (#""expandableDetails":7"#, []), (#""expandableDetails":"{\"image\":\"u\"}""#, []),
        (#""expandableDetails":{"image":7,"items":[{"image":"a"}]}"#, ["a"]),
        (#""expandableDetails":{"image":"","items":[{"image":""}]}"#, []),
        (#""expandableDetails":{"image":"i","items":"a"}"#, ["i"]),
        (#""expandableDetails":{"image":"i","items":{"0":{"image":"a"}}}"#, ["i"]),
        (#""expandableDetails":{"items":[7,null,"a",["b"],{"image":{}},{"image":"c"}],"cta1":[],"style":{}}"#, ["c"]),
        (#""expandableDetails":{"image":"a","image":"b"}"#, ["b"]),
        (#""expandableDetails":{"image":"a"},"expandableDetails":null"#, []),
    ])
    func `a value of a wrong type counts as missing`(keys: String, media: [String]) throws {
        let payload = try read(#"{"notification_id":{},"experiment_id":[],\#(keys)}"#)
        #expect(payload.media.map(\.url) == media)
        #expect(payload.providerID == nil)
        #expect(payload.details == [:])
    }
}
