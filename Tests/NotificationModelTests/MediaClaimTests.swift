import Base
import NotificationModel
import Testing

@Suite struct MediaClaimTests {
    private static let video = RenditionInfo(
        kind: .attachment, type: .mp4, byteCount: 48_213, width: 1_280, height: 720, frames: 60,
        duration: .milliseconds(2_000))
    private static let image = RenditionInfo(
        kind: .attachment, type: .png, byteCount: 9, width: 10, height: 20)

    @Test(
        arguments: [
            ("image/heic", "video/mp4", "image/png"), ("IMAGE/HEIC; x=1", "video/mp4", "image/png"),
            ("heic", "mp4", "png"), ("image", "video", "image"), ("Video", "video", "image"),
            ("audio", "video", "image"),
        ])
    func `a corrected type is written in the notation of the original type`(
        written: String, video: String, image: String
    ) throws {
        let claim = try #require(MediaClaim.type(JSONNode(.string(written))))
        #expect(claim.value(of: Self.video, insteadOf: .string(written)) == .string(video))
        #expect(claim.value(of: Self.image, insteadOf: .string(written)) == .string(image))
    }

    @Test(
        arguments: [
            (.byteCount, "7", "48213"), (.byteCount, #""7""#, #""48213""#), (.width, "1600", "1280"),
            (.height, "1200.0", "720"), (.duration, "12345", "2000"), (.byteCount, "null", nil),
            (.fileName, #""cam.jpg""#, #""cam.mp4""#), (.fileName, #""cam.MP4""#, nil), (.fileName, #""photo""#, nil),
            (.fileName, #"".jpg""#, nil), (.fileName, #""v1.2""#, nil),
        ] as [(MediaClaim.Property, String, String?)])
    func `a corrected value keeps its JSON type`(property: MediaClaim.Property, old: String, new: String?) throws {
        let value = try JSONParser.value(of: old)
        let claim = MediaClaim(property, at: JSONNode(value))
        let expected = try new.map { try JSONParser.value(of: $0) }
        #expect(claim.value(of: Self.video, insteadOf: value) == expected)
    }

    @Test func `the duration in a payload is not corrected if the rendition is a still image`() {
        let claim = MediaClaim(.duration, at: JSONNode(7))
        #expect(claim.value(of: Self.image, insteadOf: 7) == nil)
    }

    @Test func `an implied type is written only if the rendition's type differs`() {
        let words = MediaFormat.words(\.fileExtension)
        let claim = MediaClaim(.type(words), at: JSONNode(JSONValue?.none), implied: "png")
        #expect(claim.value(of: Self.video, insteadOf: nil) == "mp4")
        #expect(claim.value(of: Self.image, insteadOf: nil) == nil)
        let optional = MediaClaim(.type(words), at: JSONNode(JSONValue?.none))
        #expect(optional.value(of: Self.video, insteadOf: nil) == nil)
    }
}
