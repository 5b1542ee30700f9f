import MediaHeaders
import NotificationModel
import Testing

/// Tests that the formats of the signatures are the same as those of the model. A signature is recognized by bytes, and
/// a format of the model by its name.
@Suite struct SignatureNamesTests {
    @Test func `each signature is a format of the model, and each format has a signature`() {
        #expect(MediaSignature.allCases.map(\.rawValue) == MediaFormat.allCases.map(\.rawValue))
    }

    @Test(arguments: MediaSignature.allCases)
    func `a signature with a MIME type has the MIME type of its format`(signature: MediaSignature) throws {
        let format = try #require(MediaFormat(rawValue: signature.rawValue))
        if let mimeType = signature.mimeType {
            #expect(format.mimeType == mimeType)
        } else {
            #expect(format.kind == nil)
        }
    }

    @Test(arguments: MediaSignature.allCases)
    func `a signature with a media class has the kind of its format`(signature: MediaSignature) throws {
        let format = try #require(MediaFormat(rawValue: signature.rawValue))
        guard let mediaClass = signature.mediaClass else { return #expect(format.kind == nil || format == .svg) }
        #expect("\(mediaClass)" == format.kind?.rawValue)
    }
}
