package import Base
package import FoundationEssentials

/// The reason why the document of a recipient cannot be used.
package struct RecipientError: Error, Sendable, Equatable, CustomStringConvertible {
    package let key: String
    package let problem: String

    package init(key: String, problem: String) {
        self.key = VisibleText.of(key)
        self.problem = VisibleText.of(problem)
    }

    package var description: String { "\(key): \(problem)" }
}

extension RecipientDocument {
    private static let ownKeys = ["permissions", "locale", "names", "labels"]
    /// The keys that responses have and that bodies may repeat without effect.
    private static let ignoredKeys = ["id", "group", "hash", "version", "updatedAt", "dead"]
    private static let maxShown = 64

    /// The members that a caller can write.
    package var members: JSONObject {
        let permissions = Permission.allCases.compactMap { permission in
            settings[permission].map { (permission.rawValue, JSONValue.bool($0)) }
        }
        return [
            "permissions": .object(JSONObject(permissions)), "locale": settings.locale.map { .string($0) } ?? .null,
            "names": .array(names.map { .string($0) }), "labels": .array(labels.map { .string($0) }),
        ]
    }

    /// Reads a whole document.
    package init(_ object: JSONObject) throws(RecipientError) {
        self.init()
        for member in object.members {
            switch member.key {
            case "permissions": try readPermissions(member.value)
            case "locale": try readLocale(member.value)
            case "names": names = try Self.texts(member, most: Self.maxNames - 1, RecipientName.maxScalars)
            case "labels": labels = try Self.texts(member, most: Self.maxLabels, Self.maxLabelScalars)
            case let key where Self.ignoredKeys.contains(key): break
            case let key: throw Self.unknown(key, among: Self.ownKeys + ["pushkeys"])
            }
        }
    }

    /// Returns the document after a merge patch (RFC 7396). `pushkeys` of the patch reports tokens that were replaced or
    /// are dead.
    ///
    /// - Parameter id: The id of the recipient.
    package func patched(by patch: JSONObject, of id: String, at date: Date) throws(RecipientError) -> RecipientDocument
    {
        let pushkeys = patch["pushkeys"]
        let own = JSONObject(members: patch.members.filter { $0.key != "pushkeys" })
        var document = try RecipientDocument(members.merging(own))
        document.dead = dead
        document.revive(document.names)
        if let pushkeys, pushkeys != .null { try document.replace(pushkeys, of: id, at: date) }
        return document
    }

    /// Removes names from the dead ones, because they are in use again.
    package mutating func revive(_ names: [String]) {
        guard !dead.isEmpty else { return }
        dead.removeAll { names.contains($0.name) }
    }

    /// Applies the report of tokens: `null` for a dead token, and its replacement for a replaced one.
    private mutating func replace(_ report: JSONValue, of id: String, at date: Date) throws(RecipientError) {
        guard let tokens = report.object, tokens.members.count <= 4 * Self.maxNames else {
            throw RecipientError(
                key: "pushkeys",
                problem: "is not an object with at most \(4 * Self.maxNames) members: OLD: NEW or null")
        }
        for token in tokens.members {
            guard let old = RecipientName.parse(token.key) else {
                throw RecipientError(key: "pushkeys", problem: "\(VisibleText.quoted(token.key)) is not a name")
            }
            let new = token.value.string.flatMap { RecipientName.parse($0) }
            guard token.value == .null || new != nil, new != old else {
                throw RecipientError(
                    key: "pushkeys", problem: "the value of \(VisibleText.quoted(old)) is neither another name nor null"
                )
            }
            names.removeAll { $0 == old }
            dead.removeAll { $0.name == old }
            dead.append(DeadName(name: old, since: date, replacement: new))
            guard let new else { continue }
            revive([new])
            if new != id, !names.contains(new) { names.append(new) }
        }
        if dead.count > Self.maxNames { dead.removeFirst(dead.count - Self.maxNames) }
    }

    private mutating func readPermissions(_ value: JSONValue) throws(RecipientError) {
        guard let permissions = value.object else {
            throw RecipientError(key: "permissions", problem: "is \(value.typeName), not an object")
        }
        for member in permissions.members {
            guard let permission = Permission(rawValue: member.key) else {
                throw Self.unknown(member.key, among: Permission.allCases.map(\.rawValue), of: "permissions.")
            }
            guard let value = member.value.bool else {
                throw RecipientError(
                    key: "permissions.\(member.key)", problem: "is \(member.value.typeName), not true or false")
            }
            settings[permission] = value
        }
    }

    private mutating func readLocale(_ value: JSONValue) throws(RecipientError) {
        guard value != .null else { return }
        guard let tag = value.string.flatMap({ LanguageTag($0) }) else {
            throw RecipientError(key: "locale", problem: "is not a language tag, such as de-AT")
        }
        settings.locale = tag.description
    }

    /// Returns the texts of an array without repetitions.
    private static func texts(
        _ member: JSONObject.Member, most: Int, _ maxScalars: Int
    ) throws(RecipientError) -> [String] {
        guard let elements = member.value.array else {
            throw RecipientError(key: member.key, problem: "is \(member.value.typeName), not an array")
        }
        guard elements.count <= most else {
            throw RecipientError(key: member.key, problem: "has more than \(most) elements")
        }
        var texts: [String] = []
        for element in elements {
            guard let text = element.string.flatMap({ RecipientName.parse($0) }),
                text.unicodeScalars.count <= maxScalars
            else {
                throw RecipientError(
                    key: member.key,
                    problem: "has an element that is not 1 to \(maxScalars) characters without controls")
            }
            if !texts.contains(text) { texts.append(text) }
        }
        return texts
    }

    private static func unknown(_ key: String, among known: [String], of parent: String = "") -> RecipientError {
        let guess = NearestWord.related(to: key, among: known).map { ": did you mean \($0)?" }
        return RecipientError(
            key: parent + VisibleText.short(key, most: maxShown),
            problem: "is not known" + (guess ?? ": write \(known.joined(separator: ", "))"))
    }
}
