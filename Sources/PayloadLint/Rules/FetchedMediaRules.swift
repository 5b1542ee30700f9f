import NotificationModel

/// What fetching the media found, where somebody asked for it.
enum FetchedMediaRules {
    static let all = [notFetched, noMedium, tooLarge, notShown, differs]

    private static let notFetched = LintRule(
        "medium-not-fetched", .error, "The medium cannot be fetched.",
        source: "docs/result.md has the reasons. The policy is the one of the configuration."
    ) { subject in
        facts(subject).compactMap { medium, fact in
            guard case .failed(let failure) = fact else { return nil }
            return LintFlaw(
                medium.path, "not fetched (\(failure.reason.rawValue)): \(VisibleText.of(failure.detail))",
                fix: fix(for: failure.reason))
        }
    }

    private static func fix(for reason: DegradationReason) -> String {
        switch reason {
        case .forbiddenAddress, .forbiddenHost, .forbiddenScheme:
            "Write a URL that the public reaches, or let the policy through to it (--allow-address, --allow-host)"
        case .tlsFailed: "Mend the server's certificate, or name its authority (fetch.caFile)"
        case .budgetExceeded, .hostResting: "Try again, with a larger --budget"
        case .storageFailed, .overloaded, .internal: "Mend this machine, and try again"
        default: "Let the URL lead to the file, for everybody"
        }
    }

    private static let noMedium = LintRule(
        "not-a-medium", .error, "What was fetched is no picture, video or sound.",
        source: "By its first bytes; often it is an error page that comes with status 200."
    ) { subject in
        facts(subject).compactMap { medium, fact in
            guard case .fetched(let byteCount, let format, _) = fact, format?.kind == nil else { return nil }
            let what =
                byteCount == 0 ? "an empty file" : format.map { "a file of type \($0.label)" } ?? "of no known type"
            return LintFlaw(medium.path, "what is there is \(what)", fix: "Put the file there")
        }
    }

    private static let tooLarge = LintRule(
        "medium-too-large", .warning,
        "The file is larger than iOS takes: pictures 10 MB, sounds 5 MB, videos 50 MB.",
        source:
            "Apple, \"UNNotificationAttachment\" (UNError 102). This program makes it smaller; an extension of the app's own gets it as it is."
    ) { subject in
        fetched(subject).compactMap { medium, byteCount, format, _ in
            guard let kind = format.kind, subject.isForPhones, medium.isForPhones else { return nil }
            let most = MediaProfile.ios.mostBytes(of: kind)
            guard byteCount > most else { return nil }
            return LintFlaw(
                medium.path,
                "\(tenths(byteCount)) MB; iOS takes a \(kind.rawValue) of at most \(most >> 20) MB",
                fix: "Put a smaller file there")
        }
    }

    private static let notShown = LintRule(
        "medium-not-shown", .warning, "By its bytes the file is of a type that iOS does not take.",
        source:
            "Apple, \"UNNotificationAttachment\" (UNError 101). This program converts it; an extension of the app's own would have to."
    ) { subject in
        fetched(subject).compactMap { medium, _, format, _ in
            guard subject.isForPhones, medium.isForPhones, !format.isShownByPhones else { return nil }
            return LintFlaw(
                medium.path, "the file is \(format.label), which iOS does not take as an attachment",
                fix: "Send it through this program, or put a JPEG, PNG, GIF, MP4 or M4A there")
        }
    }

    private static let differs = LintRule(
        "medium-type-differs", .warning,
        "The file's bytes say another type than the payload, the URL or the origin.",
        source:
            "The bytes decide here; the vendors' own extensions go by the others, and iOS refuses the file (UNError 101, 105)."
    ) { subject in
        fetched(subject).compactMap { medium, _, format, contentType in
            let claims: [(who: String, format: MediaFormat?)] = [
                ("the payload", declared(medium, subject)),
                ("the URL", medium.url.fileExtension.flatMap { MediaFormat.named(extension: $0) }),
                ("the origin", contentType.flatMap { MediaFormat.named(mimeType: $0) }),
            ]
            let wrong = claims.compactMap { claim in
                claim.format.flatMap { $0 == format ? nil : "\(claim.who) says \($0.label)" }
            }
            guard !wrong.isEmpty else { return nil }
            return LintFlaw(
                medium.path, "the file is \(format.label); \(wrong.joined(separator: ", "))",
                fix: "Let all of them say \(format.label)")
        }
    }

    private static func declared(_ medium: LintMedium, _ subject: LintSubject) -> MediaFormat? {
        guard !subject.isRead(as: "sendios") else { return nil }
        return switch medium.reference.declaredType {
        case .mimeType(let type): MediaFormat.named(mimeType: type)
        case .fileExtension(let name), .mediaClass(let name): MediaFormat.named(extension: name)
        case nil: nil
        }
    }

    private static func facts(_ subject: LintSubject) -> [(medium: LintMedium, fact: MediaFact)] {
        subject.media.compactMap { medium in subject.facts[medium.reference.url].map { (medium, $0) } }
    }

    /// What is a medium.
    private static func fetched(
        _ subject: LintSubject
    ) -> [(medium: LintMedium, byteCount: Int, format: MediaFormat, contentType: String?)] {
        facts(subject).compactMap { medium, fact in
            guard case .fetched(let byteCount, let format?, let contentType) = fact, format.kind != nil else {
                return nil
            }
            return (medium, byteCount, format, contentType)
        }
    }

    private static func tenths(_ byteCount: Int) -> String {
        let tenths = (byteCount * 10 + (1 << 19)) >> 20
        return "\(tenths / 10).\(tenths % 10)"
    }
}
