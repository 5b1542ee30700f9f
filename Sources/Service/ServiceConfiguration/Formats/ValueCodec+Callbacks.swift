package import Authentication
import Base
package import NotificationModel

/// A server of `callbacks.targets`.
package struct ConfiguredCallbackTarget: Sendable, Equatable {
    package var name: String
    /// The URL in the form in which it is requested.
    package var url: String
    /// The URL without its query, which may be a secret.
    package var shownURL: String
    /// The scheme, the host and the port of the URL, with a slash.
    package var origin: String
    package var secretFile: KeyFile<WebhookKeys>
    package var groups: GroupPermission
    /// The types of events; empty for all types.
    package var types: [String]
    package var hasResult: Bool
    /// Whether requests may name URLs of the same origin as `url`.
    package var takesRequests: Bool
    package var concurrent: Int
    package var timeout: Duration
}

extension ValueCodec where Value == WebURL {
    /// The codec of the URL of a callback. Its query is not shown, because it may be a secret.
    static var callbackURL: ValueCodec {
        ValueCodec(
            expected: "an https or http URL without credentials and fragment", shape: .text,
            read: { value throws(ValueErrors) in
                let expected =
                    "an https or http URL without credentials and fragment, such as https://gateway.example.com/callbacks"
                let text = try value.text(expected)
                guard !text.contains("#"), let url = try? WebURL(text), ["http", "https"].contains(url.scheme)
                // The text may contain a password or a token, so the message does not repeat it.
                else { throw value.refusal("the text is not \(expected)") }
                return url
            },
            json: { .string(shown($0)) })
    }

    static func shown(_ url: WebURL) -> String { String(url.text.prefix { $0 != "?" }) }
}

extension ValueCodec where Value == [ConfiguredCallbackTarget] {
    private static var keys: [String] {
        ["name", "url", "secretFile", "groups", "types", "result", "requests", "concurrent", "timeout"]
    }

    private static var timeouts: ValueCodec<Duration> { .duration(.seconds(1)...(.seconds(60))) }

    /// The codec of the targets of callbacks. The files with secrets are read when the configuration is read.
    static var callbackTargets: ValueCodec {
        mappings(
            of: "targets", most: 64, keys: keys,
            example:
                "{name: gateway, url: \"https://gateway.example.com/callbacks\", secretFile: /etc/appgroupd/gateway.whsec}",
            names: { [$0.name] }, read: target(_:), json: json(of:))
    }

    private static func target(_ reader: inout MappingReader) -> ConfiguredCallbackTarget? {
        let name = reader.required("name", .callerName)
        let url = reader.required("url", .callbackURL)
        let file: KeyFile<WebhookKeys>? = reader.required("secretFile", .keyFile())
        let groups = reader.value("groups", .list(of: "app groups", .permittedGroup, atLeast: 1)) ?? ["*"]
        let types =
            reader.value("types", .list(of: "types", ValueCodec<String>.choice(of: CallbackType.all), atLeast: 1))
            ?? []
        let hasResult = reader.value("result", ValueCodec<Bool>.truth) ?? true
        let takesRequests = reader.value("requests", ValueCodec<Bool>.truth) ?? false
        let concurrent = reader.value("concurrent", ValueCodec<Int>.number(1...256)) ?? 4
        let timeout = reader.value("timeout", timeouts) ?? .seconds(15)
        if let name, CallbackType.isTargetOfProvider(name) {
            reader.refuse("name", "\(name) is a name for the target of a provider: choose another name")
        }
        guard let name, let url, let file else { return nil }
        return ConfiguredCallbackTarget(
            name: name, url: url.text, shownURL: ValueCodec<WebURL>.shown(url),
            origin: url.shortOrigin + "/", secretFile: file,
            groups: GroupPermission(names: groups), types: types, hasResult: hasResult, takesRequests: takesRequests,
            concurrent: concurrent, timeout: timeout)
    }

    private static func json(of target: ConfiguredCallbackTarget) -> JSONObject {
        var shown: JSONObject = [
            "name": .string(target.name), "url": .string(target.shownURL),
            "secretFile": .string(target.secretFile.path),
            "groups": .array(target.groups.names.map { .string($0) }),
        ]
        if !target.types.isEmpty { shown.append("types", .array(target.types.map { .string($0) })) }
        shown.append("result", .bool(target.hasResult))
        shown.append("requests", .bool(target.takesRequests))
        shown.append("concurrent", .number(target.concurrent))
        shown.append("timeout", timeouts.json(target.timeout))
        return shown
    }
}
