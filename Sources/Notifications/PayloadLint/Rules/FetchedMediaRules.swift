import Base
import NotificationModel

/// The rules for the files of media, which apply only if the user has asked for fetching.
enum FetchedMediaRules {
    static let all = [notFetched, noItem, tooLarge, notShown, differs]

    private static let notFetched = LintRule.each(
        facts, "medium-not-fetched", .error, "The media item cannot be fetched.",
        source:
            "docs/use/result.md lists the reasons. Files are fetched only from hosts and addresses that the configuration permits."
    ) { fetched, _ in
        let (item, fact) = fetched
        guard case .failed(let failure) = fact else { return nil }
        return RuleFinding(
            item.path, "not fetched (\(failure.reason.rawValue)): \(VisibleText.of(failure.detail))",
            fix: fix(for: failure.reason))
    }

    private static func fix(for reason: DegradationReason) -> String {
        switch reason {
        case .forbiddenAddress, .forbiddenHost, .forbiddenScheme:
            "Write a URL of a public server, or permit this one (--allow-address, --allow-host)"
        case .tlsFailed: "Correct the certificate of the server, or name its authority (fetch.caFile)"
        case .budgetExceeded, .hostResting: "Try again, with a larger --budget"
        case .storageFailed, .overloaded, .internal: "Check this machine with appgroupd doctor, and try again"
        default: "Write a URL from which any client can download the file"
        }
    }

    private static let noItem = LintRule.each(
        facts, "not-a-medium", .error, "The fetched file is not an image, a video or a sound.",
        source:
            "The first bytes of a file determine its type. Often such a file is an error page that the server sent with status 200."
    ) { fetched, _ in
        let (item, fact) = fetched
        guard case .fetched(let byteCount, let format, _) = fact, format?.kind == nil else { return nil }
        let what =
            byteCount == 0 ? "an empty file" : format.map { "a file of type \($0.name)" } ?? "a file of an unknown type"
        return RuleFinding(item.path, "the URL leads to \(what)", fix: "Put the media file at this URL")
    }

    private static let tooLarge = LintRule.each(
        fetched, "medium-too-large", .warning,
        "The file exceeds the limits of iOS: 10 MB for images, 5 MB for sounds, 50 MB for videos.",
        source:
            "Source: Apple, \"UNNotificationAttachment\" (UNError 102). appgroupd makes the file smaller. Without appgroupd, the app's own extension gets the original file."
    ) { fetched, subject in
        let (item, byteCount, format, _) = fetched
        guard let kind = format.kind, subject.isForPhones, item.isForPhones else { return nil }
        let most = MediaProfile.ios.maxBytes(of: kind)
        guard byteCount > most else { return nil }
        return RuleFinding(
            item.path,
            "the file has \(tenths(byteCount)) MB; iOS accepts a \(kind.rawValue) of at most \(most >> 20) MB",
            fix: "Use a smaller file")
    }

    private static let notShown = LintRule.each(
        fetched, "medium-not-shown", .warning,
        "The bytes of the file show that iOS does not accept the type of the file.",
        source:
            "Source: Apple, \"UNNotificationAttachment\" (UNError 101). appgroupd converts the file. Without appgroupd, the app's own extension must convert the file."
    ) { fetched, subject in
        let (item, _, format, _) = fetched
        guard subject.isForPhones, item.isForPhones, !format.isShownByPhones else { return nil }
        return RuleFinding(
            item.path, "the file is \(format.name), which iOS does not accept as an attachment",
            fix: "Process the payload with appgroupd, or use a JPEG, PNG, GIF, MP4 or M4A")
    }

    private static let differs = LintRule.each(
        fetched, "medium-type-differs", .warning,
        "The type of the file's bytes differs from the type in the payload, in the URL or in the origin's response.",
        source:
            "appgroupd uses the type of the bytes. The vendors' extensions use the type in the payload, in the URL or in the response, and iOS then refuses the file (UNError 101, 105)."
    ) { fetched, subject in
        let (item, _, format, contentType) = fetched
        let claims: [(who: String, format: MediaFormat?)] = [
            ("the payload", declared(item, subject)),
            ("the URL", item.url.fileExtension.flatMap { MediaFormat.named(extension: $0) }),
            ("the origin", contentType.flatMap { MediaFormat.named(mimeType: $0) }),
        ]
        let wrong = claims.compactMap { claim in
            claim.format.flatMap { $0 == format ? nil : "\(claim.who) says \($0.name)" }
        }
        guard !wrong.isEmpty else { return nil }
        return RuleFinding(
            item.path, "the file is \(format.name); \(wrong.joined(separator: ", "))",
            fix: "Declare \(format.name) in all places")
    }

    private static func declared(_ item: LintMediaItem, _ subject: LintSubject) -> MediaFormat? {
        guard !subject.isRead(as: "sendios") else { return nil }
        return switch item.reference.declaredType {
        case .mimeType(let type): MediaFormat.named(mimeType: type)
        case .fileExtension(let name), .mediaClass(let name): MediaFormat.named(extension: name)
        case nil: nil
        }
    }

    private static func facts(_ subject: LintSubject) -> [(item: LintMediaItem, fact: MediaFact)] {
        subject.media.compactMap { item in subject.facts[item.reference.url].map { (item, $0) } }
    }

    /// Returns the fetched files that are images, videos or sounds.
    private static func fetched(
        _ subject: LintSubject
    ) -> [(item: LintMediaItem, byteCount: Int, format: MediaFormat, contentType: String?)] {
        facts(subject).compactMap { item, fact in
            guard case .fetched(let byteCount, let format?, let contentType) = fact, format.kind != nil else {
                return nil
            }
            return (item, byteCount, format, contentType)
        }
    }

    private static func tenths(_ byteCount: Int) -> String {
        let tenths = (byteCount * 10 + (1 << 19)) >> 20
        return "\(tenths / 10).\(tenths % 10)"
    }
}
