import Base
import NotificationModel

enum MediaTypeRules {
    static let all = [unknownType, disagrees, notShown]

    private enum Meaning: Equatable {
        case format(MediaFormat)
        case kind(MediaKind)
        /// A type that is valid for media, but does not name a known format or kind.
        case other
        case nothing
    }

    private static let unknownType = LintRule.each(
        \.media, "unknown-media-type", .warning, "The declared type of a media item is unknown.",
        source:
            "appgroupd recognises the type of a file by its bytes, but the vendors' extensions use the declared type."
    ) { item, _ in
        guard let declared = item.reference.declaredType, meaning(of: declared) == .nothing else { return nil }
        return RuleFinding(
            item.path, "the declared type \(VisibleText.quoted(text(of: declared))) is unknown",
            fix: "Write a type that the provider documents, such as jpg, image/jpeg or video")
    }

    private static let disagrees = LintRule.each(
        \.media, "declared-type-disagrees", .warning,
        "The declared type of a media item and the extension of its URL do not agree.",
        source:
            "The vendors' extensions give the file the name extension of the declared type, and iOS refuses a file with a wrong name extension (UNError 101, 105)."
    ) { item, subject in
        // The payloads of Sendios have no key for a type.
        guard !subject.isRead(as: "sendios"), let declared = item.reference.declaredType,
            let named = item.url.fileExtension.flatMap({ MediaFormat.named(extension: $0) })
        else { return nil }
        let agrees =
            switch meaning(of: declared) {
            case .format(let format): format == named
            case .kind(let kind): kind == named.kind
            case .other, .nothing: true
            }
        guard !agrees else { return nil }
        return RuleFinding(
            item.path,
            "the declared type is \(VisibleText.quoted(text(of: declared))), but the URL ends in .\(item.url.fileExtension ?? "")",
            fix: "Declare the real type of the file"
                + (subject.isRead(as: "klaviyo") ? " in rich-media-type (without it: jpg)" : ""))
    }

    private static let notShown = LintRule.each(
        \.media, "format-not-shown", .note,
        "The declared type or the URL's extension of a media item stands for a format that iOS does not accept.",
        source:
            "Apple, \"UNNotificationAttachment\": iOS accepts JPEG, GIF, PNG, AIFF, WAV, MP3, M4A, MPEG, MPEG-2, MP4 and AVI. appgroupd converts other formats. Without appgroupd, the app's own extension must convert the file."
    ) { item, subject in
        guard subject.isForPhones, item.isForPhones else { return nil }
        let named = item.url.fileExtension.flatMap { MediaFormat.named(extension: $0) }
        let declared = item.reference.declaredType.map(meaning)
        let format = if case .format(let format)? = declared { Optional(format) } else { named }
        guard let format, !format.isShownByPhones else { return nil }
        return RuleFinding(
            item.path, "iOS does not accept \(format.name) as an attachment",
            fix:
                "Process the payload with appgroupd, or use \(format.kind == .sound ? "M4A" : format.kind == .video ? "MP4" : "JPEG or PNG")"
        )
    }

    private static func meaning(of type: DeclaredMediaType) -> Meaning {
        switch type {
        case .mimeType(let text):
            if let format = MediaFormat.named(mimeType: text) { return .format(format) }
            let bare = MediaFormat.bareMIMEType(text)
            return ["image/", "video/", "audio/"].contains(where: bare.hasPrefix) || bare == "application/octet-stream"
                ? .other : .nothing
        case .fileExtension(let name): return MediaFormat.named(extension: name).map { .format($0) } ?? .nothing
        case .mediaClass(let name):
            switch name.lowercased() {
            case "image", "picture", "photo": return .kind(.image)
            case "video", "movie": return .kind(.video)
            case "audio", "sound": return .kind(.sound)
            // A name with a dot is one of Apple's type identifiers, such as public.jpeg.
            case let name where name.contains("."): return .other
            default: return MediaFormat.named(extension: name).map { .format($0) } ?? .nothing
            }
        }
    }

    private static func text(of type: DeclaredMediaType) -> String {
        switch type {
        case .mimeType(let text), .fileExtension(let text), .mediaClass(let text): text
        }
    }
}
