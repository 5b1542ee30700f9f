import ArgumentParser
import Base
import FeatureKit
import HTTPAPI
import NotificationModel
import NotificationProcessor

struct RecipientsSetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Create a receiver, or change members of it, and print it.",
        discussion: """
            Only the named members change. --name and --label replace all names or all labels. A permission with the \
            value default is removed, so that the app group or the daemon decides it.

            --dead reports a token under which the push service no longer delivers, and --replace OLD=NEW a token that \
            the push service has replaced.

            Status 1: another receiver has one of the names, or the receiver has another version than --if-version.

            Examples:
              appgroupd recipients set --root ./var anna --permission service=false
              appgroupd recipients set --root ./var anna --locale de-AT --label beta
            """)

    @Argument(help: "A name of the receiver.")
    var name: String

    @Option(
        help: ArgumentHelp(
            "A permission: \(Permissions.names.joined(separator: ", ")). Repeatable.",
            valueName: "name=true|false|default"),
        transform: Self.permission)
    var permission: [Setting] = []

    @Option(help: ArgumentHelp("The receiver's language, such as de-AT, or default.", valueName: "tag"))
    var locale: String?

    @Option(name: .customLong("name"), help: ArgumentHelp("A further name. Repeatable.", valueName: "name"))
    var names: [String] = []

    @Option(name: .customLong("label"), help: ArgumentHelp("A label. Repeatable.", valueName: "text"))
    var labels: [String] = []

    @Option(help: ArgumentHelp("A dead token. Repeatable.", valueName: "token"))
    var dead: [String] = []

    @Option(
        help: ArgumentHelp("A replaced token and its replacement. Repeatable.", valueName: "old=new"),
        transform: Self.replacement)
    var replace: [Replacement] = []

    @Option(help: ArgumentHelp("The version that the receiver must have.", valueName: "number"))
    var ifVersion: Int?

    @OptionGroup var target: RecipientTarget

    struct Setting: Equatable {
        var permission: Permission
        /// `nil` removes the setting.
        var value: Bool?
    }

    struct Replacement: Equatable {
        var old: String
        var new: String
    }

    func run() async throws {
        let headers = ifVersion.map { ["if-match": "\"\($0)\""] } ?? [:]
        let answer = try await target.ask(
            "PATCH", name, body: JSONWriter.bytes(of: .object(patch)), headers: headers)
        StandardStreams.output(try answer.expecting(200, 201).text)
    }

    /// The merge patch of the flags.
    var patch: JSONObject {
        var patch = JSONObject()
        if !permission.isEmpty {
            let settings = permission.map { ($0.permission.rawValue, $0.value.map { JSONValue.bool($0) } ?? .null) }
            patch.append("permissions", .object(JSONObject(settings)))
        }
        if let locale { patch.append("locale", locale == "default" ? .null : .string(locale)) }
        if !names.isEmpty { patch.append("names", .array(names.map { .string($0) })) }
        if !labels.isEmpty { patch.append("labels", .array(labels.map { .string($0) })) }
        let tokens = dead.map { ($0, JSONValue.null) } + replace.map { ($0.old, .string($0.new)) }
        if !tokens.isEmpty { patch.append("pushkeys", .object(JSONObject(tokens))) }
        return patch
    }

    private static func permission(_ text: String) throws -> Setting {
        let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
        guard parts.count == 2, let permission = Permission(rawValue: parts[0]),
            parts[1] == "default" || Bool(parts[1]) != nil
        else {
            throw ValidationError(
                "it must be one of \(Permissions.names.joined(separator: ", ")), with =true, =false or =default.")
        }
        return Setting(permission: permission, value: Bool(parts[1]))
    }

    private static func replacement(_ text: String) throws -> Replacement {
        // Tokens in Base64 end with equals signs, so the first sign that is followed by another character counts.
        let sign = zip(text.indices, text.indices.dropFirst()).first { text[$0] == "=" && text[$1] != "=" }?.0
        guard let sign, sign > text.startIndex else {
            throw ValidationError("it must be the old token, an equals sign, and the new token.")
        }
        return Replacement(old: String(text[..<sign]), new: String(text[text.index(after: sign)...]))
    }
}
