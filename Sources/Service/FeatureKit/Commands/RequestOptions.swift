package import ArgumentParser
import Base
package import FoundationEssentials
package import NotificationModel
package import NotificationProcessor
import ServiceConfiguration

/// The flags that decide how payloads are processed. The keys of an envelope take precedence over them.
package struct RequestOptions: ParsableArguments {
    @Option(
        help: """
            The format of the payloads, such as native, 2mee, fcm or onesignal (docs/use/dialects.md). Default: the format \
            is recognised.
            """)
    package var dialect: String?

    @Option(help: "The app group, such as group.demo. Default: group.default.", transform: Self.group)
    package var group = AppGroupName.default

    @Option(help: "The id of the request. Only for a single payload. Default: a new UUID.", transform: Self.identifier)
    package var id: RequestID?

    @Option(
        help: ArgumentHelp(
            "The current time for the expiry of messages, such as 2026-01-31T12:00:00Z. Default: now.",
            valueName: "time"),
        transform: Self.date)
    package var now: Date?

    @Option(help: "The receiver's network: wifi or cellular.", transform: Self.network)
    package var network: NetworkKind?

    @Option(
        help: ArgumentHelp(
            "The receiver's language, such as de or de-AT, for texts from string tables.", valueName: "tag"),
        transform: Self.locale)
    package var locale: LanguageTag?

    @Option(
        help: ArgumentHelp(
            "A permission of the receiver: \(Permissions.names.joined(separator: ", ")). Repeatable.",
            valueName: "name=true|false"),
        transform: Self.permission)
    package var permission: [Permission] = []

    package struct Permission: Equatable {
        package var name: String
        package var isOn: Bool
    }
    package init() {}

    /// Returns the dialect of `--dialect`; `nil` without this flag. Throws a failure with status 2 if the flag names none
    /// of the dialects, which include those of the configuration.
    package func knownDialect(of known: [DialectID]) throws(CommandFailure) -> DialectID? {
        try dialect.map { name throws(CommandFailure) in try Self.dialect(name, of: known) }
    }

    /// Changes the defaults of requests to the values of the flags.
    package func apply(_ dialect: DialectID?, to defaults: inout RequestDefaults) {
        defaults.appGroup = group
        defaults.dialect = dialect
        defaults.network = network
        defaults.locale = locale?.description
        for permission in permission { _ = defaults.permissions.set(permission.name, permission.isOn) }
    }

    // MARK: Reading the flags

    /// Parses the value of `--dialect`.
    package static func dialect(_ name: String, of known: [DialectID]) throws(CommandFailure) -> DialectID {
        if let known = known.first(where: { $0.description == name }) { return known }
        let names = known.map(\.description)
        let hint = NearestWord.related(to: name, among: names).map { "did you mean \($0)?" }
        throw CommandFailure(
            .usage, "--dialect \(name): \(hint ?? "it must be one of: \(names.joined(separator: ", "))")")
    }

    private static func locale(_ text: String) throws -> LanguageTag {
        try ValidationError.required(LanguageTag(text), "a language tag, such as de or de-AT")
    }
    package static func group(_ text: String) throws -> AppGroupName {
        try ValidationError.required(
            AppGroupName(text),
            "1 to 128 letters, digits, dots and dashes, not starting with a dot, nor ending with .sock, .sqlite or .lock"
        )
    }
    private static func identifier(_ text: String) throws -> RequestID {
        try ValidationError.required(RequestID(text), "1 to 128 letters, digits and ._-:@+=, not starting with a dot")
    }
    package static func date(_ text: String) throws -> Date {
        try ValidationError.required(Timestamp.parse(text), "a time, such as 2026-01-31T12:00:00Z (RFC 3339)")
    }
    private static func network(_ text: String) throws -> NetworkKind {
        try ValidationError.required(NetworkKind(rawValue: text), "wifi or cellular")
    }
    private static func permission(_ text: String) throws -> Permission {
        let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
        var known = Permissions()
        guard parts.count == 2, let isOn = Bool(parts[1]), known.set(parts[0], isOn) else {
            let names = Permissions.names
            throw ValidationError(
                "it must be \(names.dropLast().joined(separator: ", ")) or \(names.last ?? "") with =true or =false.")
        }
        return Permission(name: parts[0], isOn: isOn)
    }
}
