package import Base
package import NotificationModel

/// The table of all dialects, in the order in which they are tried. The first that recognises a payload reads it.
package struct DialectTable: Sendable {
    /// The operator's settings for dialects.
    package struct Settings: Sendable {
        package var twoMee = TwoMeeSettings()
        package var apnsMediaKeys = KeyPathText.commonMediaKeys
        package var matrixApps = MatrixApps()
        /// The operator's own dialects, tried before all others, in their order.
        package var configured: [DialectDefinition] = []

        package init() {}
    }

    package static let standard = DialectTable(Settings())

    package init(_ settings: Settings) {
        self.init(dialects: settings.configured.map { ConfiguredDialect(definition: $0) } + Self.known(settings))
    }

    /// Returns the built-in dialects. The order decides which dialect gets a payload with a shared key, such as
    /// `attachment`, `body` or `image_url`. A dialect whose rule is less specific comes later.
    private static func known(_ settings: Settings) -> [any Dialect] {
        let mediaKeys = MediaKeys(settings.apnsMediaKeys)
        return [
            NativeDialect(),
            TwoMeeDialect(settings.twoMee),
            SendiosDialect(),
            ComapiDialect(),
            MatrixDialect(apps: settings.matrixApps),
            OneSignalDialect(),
            AirshipDialect(),
            BrazeDialect(),
            CleverTapDialect(),
            CustomerIODialect(),
            MoEngageDialect(),
            BatchDialect(),
            WebEngageDialect(),
            IterableDialect(),
            KlaviyoDialect(),
            LeanplumDialect(),
            SalesforceDialect(),
            NtfyDialect(),
            NotificareDialect(),
            HomeAssistantDialect(),
            PushwooshDialect(),
            ExpoDialect(),
            EmarsysDialect(),
            AdobeDialect(),
            MindboxDialect(),
            SwrveDialect(),
            WonderPushDialect(),
            MixpanelDialect(),
            CountlyDialect(),
            OptimobileDialect(),
            BloomreachDialect(),
            BlueshiftDialect(),
            CordialDialect(),
            PinpointDialect(),
            NetmeraDialect(),
            NotifeeDialect(mediaKeys: mediaKeys),
            AwesomeNotificationsDialect(mediaKeys: mediaKeys),
            SendbirdDialect(mediaKeys: mediaKeys),
            RocketChatDialect(),
            PushoverDialect(),
            InsiderDialect(mediaKeys: mediaKeys),
            GorushDialect(mediaKeys: mediaKeys),
            PusherBeamsDialect(mediaKeys: mediaKeys),
            ParseDialect(mediaKeys: mediaKeys),
            SNSDialect(mediaKeys: mediaKeys),
            HuaweiDialect(),
            FCMLegacyDialect(mediaKeys: mediaKeys),
            FCMDialect(mediaKeys: mediaKeys),
            FirebaseDialect(),
            WebPushDialect(),
            APNsDialect(mediaKeys: mediaKeys),
        ]
    }

    private let dialects: [any Dialect]
    private let looseDialects: [any LooseDialect]

    package init(dialects: [any Dialect]) {
        self.dialects = dialects
        looseDialects = dialects.compactMap { $0 as? any LooseDialect }
    }

    package var identifiers: [DialectID] { dialects.map(\.id) }

    package func recognises(_ payload: JSONObject) -> Bool { recognises(PayloadLayout(payload)) }

    private func recognises(_ payload: PayloadLayout) -> Bool { dialects.contains { $0.recognises(payload) } }

    /// Returns the reason why no dialect recognises a payload; `nil` if a dialect recognises it.
    func problem(ofUnknown payload: JSONObject) -> PayloadProblem? {
        let layout = PayloadLayout(payload)
        return recognises(layout) ? nil : UnknownPayload(layout, dialects).problem
    }

    /// Returns whether a dialect's format is not specific to a provider.
    package func isOfAnySender(_ id: DialectID) -> Bool { dialects.first { $0.id == id }?.isOfAnySender ?? false }

    /// Returns the lookups that a dialect makes in a payload, even if it does not recognise the payload.
    package func lookups(in payload: JSONObject, by id: DialectID) -> [JSONLookups.Lookup] {
        let record = JSONLookups()
        _ = dialects.first { $0.id == id }?.read(JSONNode(.object(payload), recordedIn: record))
        return record.all
    }

    /// Reads a payload with the first dialect that recognises it.
    ///
    /// - Parameter requested: A dialect to use, even if it does not recognise the payload.
    /// - Parameter languages: The recipient's languages with their fallbacks, the preferred one first.
    package func read(
        _ payload: JSONObject, requested: DialectID? = nil, in languages: [LanguageTag] = []
    ) -> PushPayload {
        let layout = PayloadLayout(payload)
        return recognised(layout, requested: requested, in: languages).reportingMessageProblems(of: layout)
            .reportingEmptiness(of: payload)
    }

    /// Returns the first dialect that recognises a payload by the keys of its provider, and the rule; `nil` if no
    /// dialect recognises it.
    package func detect(_ payload: PayloadLayout) -> (dialect: any Dialect, rule: String)? {
        // An index borrows each dialect, and an iterator would copy it.
        for index in dialects.indices {
            if let rule = dialects[index].detect(payload) { return (dialects[index], rule) }
        }
        return nil
    }

    private func recognised(
        _ payload: PayloadLayout, requested: DialectID?, in languages: [LanguageTag]
    ) -> PushPayload {
        if let requested, let dialect = dialects.first(where: { $0.id == requested }) {
            return dialect.reading(payload.root, detectedBy: "requested", in: languages)
        }
        let found = detect(payload)
        var reading =
            found.map { $0.dialect.reading(payload.root, detectedBy: $0.rule, in: languages) } ?? PushPayload()
        let isOfAnySender = found?.dialect.isOfAnySender ?? true
        if isOfAnySender, reading.media.isEmpty {
            for dialect in looseDialects {
                guard let rule = dialect.detectLoosely(payload) else { continue }
                return dialect.reading(payload.root, detectedBy: rule, in: languages)
            }
        }
        if isOfAnySender || found?.dialect.id == "sns", let inner = InnerPush(in: payload, by: dialects) {
            guard reading.media.isEmpty, reading.hasNoText else {
                reading.problems.append(inner.problem)
                return reading
            }
            return inner.reading(in: reading, languages)
        }
        guard isOfAnySender, reading.media.isEmpty else { return reading }
        reading.problems +=
            found == nil
            ? [UnknownPayload(payload, dialects).problem]
            : looseDialects.flatMap { $0.problems(ofUnrecognised: payload) }
        return reading
    }
}
