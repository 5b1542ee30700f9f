import Testing

@testable import Base

@Suite struct MediaFormatTests {
    @Test(arguments: MediaFormat.allCases)
    func `each format has a name, a MIME type, a type identifier and an extension`(format: MediaFormat) {
        let facts = format.facts
        #expect(!facts.name.isEmpty && !format.phrase.isEmpty)
        #expect(!facts.mimeTypes.isEmpty && facts.mimeTypes.allSatisfy { $0.split(separator: "/").count == 2 })
        #expect(facts.mimeTypes == facts.mimeTypes.map { MediaFormat.bareMIMEType($0) })
        #expect(facts.uti.split(separator: ".").count >= 2)
        #expect(!facts.extensions.isEmpty)
        #expect(facts.extensions.allSatisfy { $0 == $0.lowercased() && !$0.contains(".") })
    }

    @Test func `two formats have no name in common`() {
        for names in [
            MediaFormat.allCases.flatMap(\.facts.mimeTypes), MediaFormat.allCases.flatMap(\.facts.extensions),
            MediaFormat.allCases.map(\.uniformTypeIdentifier), MediaFormat.allCases.map(\.name),
        ] {
            #expect(Set(names).count == names.count)
        }
    }

    @Test(arguments: MediaFormat.allCases)
    func `each name of a format is parsed as the format`(format: MediaFormat) {
        for type in format.facts.mimeTypes {
            #expect(MediaFormat.named(mimeType: type.uppercased() + " ; charset=utf-8") == format)
        }
        for name in format.facts.extensions {
            #expect(MediaFormat.named(extension: name.uppercased()) == format)
            #expect(MediaFormat.named(fileOf: "https://a.example/b.c/d.\(name)?e=f.png#g") == format)
        }
    }

    @Test(arguments: ["", "a", ".png", "a/.png", "a.png/b", "a.", "a.unheard-of"])
    func `a file name without a known extension has no format`(url: String) {
        #expect(MediaFormat.named(fileOf: url) == nil)
    }

    @Test(arguments: MediaFormat.allCases)
    func `the MIME type of a media format has the media kind as its top-level type`(format: MediaFormat) {
        #expect(MediaKind(topLevelType: format.topLevelType) == format.kind)
    }

    @Test func `each format has a code of its own, and the codes have no gap`() {
        #expect(MediaFormat.allCases.map(\.rawValue) == Array(1...UInt8(MediaFormat.allCases.count)))
    }

    @Test(arguments: MediaFormat.allCases)
    func `only a media format can be decoded, and each rendition format can be decoded`(format: MediaFormat) {
        if format.kind == nil { #expect(!format.isDecoded && !format.isRendition && !format.isShownByPhones) }
        if format.isRendition || format.isShownByPhones { #expect(format.isDecoded) }
        if format.mayBeAnimated { #expect(format.kind == .image) }
        #expect((format.reportedMIMEType == nil) == [.zip, .gzip, .playlist].contains(format))
    }

    @Test(arguments: MediaFormat.allCases)
    func `a format can be decoded if and only if its container can be decoded`(format: MediaFormat) {
        #expect(format.container.container == format.container)
        #expect(format.container.isDecoded == format.isDecoded)
    }

    @Test func `only the standard names of rendition formats are parsed as renditions`() {
        #expect(MediaFormat.renditions == [.jpeg, .png, .gif, .webp, .avif, .mp4, .m4a, .mp3, .wav, .aiff])
        for format in MediaFormat.renditions {
            #expect(MediaFormat.rendition(mimeType: format.mimeType) == format)
            #expect(MediaFormat.rendition(extension: format.fileExtension) == format)
        }
        #expect(MediaFormat.rendition(mimeType: "image/jpg") == nil)
        #expect(MediaFormat.rendition(mimeType: "image/heic") == nil)
        #expect(MediaFormat.rendition(extension: "jpeg") == nil)
    }

    @Test func `the formats that phones show are the formats in Apple's table`() {
        #expect(
            MediaFormat.allCases.filter(\.isShownByPhones)
                == [.jpeg, .png, .gif, .mp4, .avi, .mpegPS, .m4a, .mp3, .wav, .aiff])
    }
}
