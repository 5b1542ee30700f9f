import JSON
import NotificationModel
import NotificationProcessor

/// Whose payload it is, and what nearly says so.
enum DetectionRules {
    static let all = [nobodys, misspeltAPS, misspeltMarker]

    /// Keys at the top by which dialects know their payloads, or find their media.
    private static let markers: [(key: String, whose: String)] = [
        ("appear2mee", "2mee"), ("holoPushUrl", "2mee"), ("fbText", "2mee"), ("os_data", "OneSignal"),
        ("com.urbanairship.media_attachment", "Airship"), ("ct_mediaUrl", "CleverTap"),
        ("ct_mediaType", "CleverTap"), ("CIO-Delivery-ID", "Customer.io"), ("moengage", "MoEngage"),
        ("com.batch", "Batch"), ("expandableDetails", "WebEngage"), ("rich-media", "Klaviyo"),
        ("rich-media-type", "Klaviyo"), ("LP_URL", "Leanplum"), ("_mediaUrl", "Salesforce"),
        ("_mediaAlt", "Salesforce"), ("attachment", "Pushwoosh or Home Assistant"), ("richContent", "Expo"),
        ("media-attachment-url", "Adobe"), ("clickUrl", "Mindbox"), ("uniqueKey", "Mindbox"),
        ("fcm_options", "Firebase"), ("web_push", "declarative web push"), ("notification", "Matrix or web push"),
        ("media", "our own format"), ("media-url", "plain APNs"), ("media_url", "plain APNs"),
        ("image-url", "plain APNs"), ("image_url", "plain APNs"), ("attachment-url", "plain APNs"),
        ("attachment_url", "plain APNs"), ("image", "plain APNs"), ("video", "plain APNs"), ("audio", "plain APNs"),
        ("imageUrl", "plain APNs"), ("imageURL", "plain APNs"), ("attachmentUrl", "plain APNs"),
        ("mediaUrl", "plain APNs"), ("picture", "plain APNs"), ("photo", "plain APNs"),
    ]

    /// Looking further costs time and says nothing more.
    private static let mostKeys = 64

    private static let nobodys = LintRule(
        "unknown-payload", .error, "No dialect recognises the payload: it would be passed on as it is.",
        source: "docs/dialects.md."
    ) { subject in
        guard !subject.isTooLong, subject.reading.dialect == nil else { return [] }
        // Told with more to say.
        guard misspeltAPSKeys(subject).isEmpty else { return [] }
        let near = nearMarkers(subject).first
        return [
            LintFlaw(
                near?.node ?? subject.payload,
                "this is nobody's payload: no dialect recognises it"
                    + (near.map { "; \(VisibleText.quoted($0.written)) is nearly \($0.key) (\($0.whose))" } ?? ""),
                fix: near.map { "Rename it to \($0.key)" }
                    ?? "Put what Apple's phones show into aps, or name the format with --dialect")
        ]
    }

    private static let misspeltAPS = LintRule(
        "misspelt-aps", .error, "A key is nearly `aps`: what is in it does nothing.",
        source: "Apple, \"Generating a remote notification\": the dictionary is called `aps`, in small letters."
    ) { subject in
        misspeltAPSKeys(subject).map { key in
            LintFlaw(
                subject.payload[key], "\(VisibleText.quoted(key)) is not aps, and nobody reads it",
                fix: "Rename it to aps")
        }
    }

    private static func misspeltAPSKeys(_ subject: LintSubject) -> [String] {
        guard let members = subject.payload.object?.members else { return [] }
        return members.prefix(mostKeys).filter { member in
            let (key, bare) = (member.key, KeyGuess.bare(member.key))
            guard key != "aps" else { return false }
            if bare == "aps" { return true }
            let isNear = bare.sorted() == ["a", "p", "s"] || NearestWord.distance(String(bare.prefix(8)), "aps") == 1
            guard isNear, let object = member.value.object else { return false }
            return ["alert", "mutable-content", "content-available", "badge", "sound"].contains { object[$0] != nil }
        }.map(\.key)
    }

    private static let misspeltMarker = LintRule(
        "misspelt-media-key", .warning,
        "No media are found, and a key is nearly one by which a dialect knows its payloads or finds media.",
        source: "docs/dialects.md."
    ) { subject in
        guard subject.reading.dialect != nil, subject.media.isEmpty else { return [] }
        return nearMarkers(subject).map { near in
            LintFlaw(
                near.node,
                "\(VisibleText.quoted(near.written)) is read by nobody; did you mean \(near.key) (\(near.whose))?",
                fix: "Rename it to \(near.key)")
        }
    }

    private static func nearMarkers(
        _ subject: LintSubject
    ) -> [(written: String, node: JSONNode, key: String, whose: String)] {
        let known = Set(markers.map(\.key))
        return (subject.payload.object?.members.prefix(mostKeys) ?? []).compactMap { member in
            guard !known.contains(member.key), member.value.string != nil || member.value.object != nil,
                let guess = KeyGuess.nearest(to: member.key, among: markers.map(\.key)), isNear(member.key, guess),
                let marker = markers.first(where: { $0.key == guess })
            else { return nil }
            return (member.key, subject.payload[member.key], marker.key, marker.whose)
        }
    }

    /// Keys of senders' own are many; two letters of a short one are too many.
    private static func isNear(_ key: String, _ marker: String) -> Bool {
        if KeyGuess.bare(key).sorted() == KeyGuess.bare(marker).sorted() { return true }
        return NearestWord.isSlip(key, of: marker)
    }
}
