import MediaHeaders
import NotificationModel
import Testing

/// The signatures tell formats by their bytes, the model's formats by their names: in both a format is the same one.
@Suite struct SignatureNamesTests {
    @Test func `each signature is a format, and each format has a signature`() {
        #expect(MediaSignature.allCases.map(\.rawValue) == MediaFormat.allCases.map(\.rawValue))
    }

    @Test(arguments: MediaSignature.allCases)
    func `they have the same MIME type, where bytes give one`(signature: MediaSignature) throws {
        let format = try #require(MediaFormat(rawValue: signature.rawValue))
        if let mimeType = signature.mimeType {
            #expect(format.mimeType == mimeType)
        } else {
            #expect(format.kind == nil)
        }
    }

    @Test(arguments: MediaSignature.allCases)
    func `they are of the same kind, where they are decoded`(signature: MediaSignature) throws {
        let format = try #require(MediaFormat(rawValue: signature.rawValue))
        guard let mediaClass = signature.mediaClass else { return #expect(format.kind == nil || format == .svg) }
        #expect("\(mediaClass)" == format.kind?.rawValue)
    }
}
