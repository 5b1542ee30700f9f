import Base
import NotificationModel

/// The message about an unknown key, with the key that was probably meant.
enum KeySuggestion {
    /// Returns the message about an unknown key.
    ///
    /// - Parameter section: The section that contains the key; empty at the top of the file.
    static func problem(with name: String, in section: String) -> String {
        let prefix = section.isEmpty ? "" : section + "."
        if let key = ConfigurationKey.named(name), key.name != name {
            return "\(name) is written with levels: write \(key.name) below \(key.path.dropLast(key.name.count + 1))"
        }
        let sentence = "\(shown(prefix + name)) is not a key"
        let siblings = names(in: section)
        let bareName = bare(name)
        if let same = siblings.first(where: { bare($0) == bareName }) {
            return "\(sentence); did you mean \(prefix + same)?"
        }
        // The name is that of a key in another section.
        if let elsewhere = ConfigurationKey.all.first(where: {
            bare($0.name) == bareName || bare($0.path) == bareName
        }) {
            return "\(sentence); did you mean \(elsewhere.path)?"
        }
        if let near = NearestWord.nearest(to: name, among: siblings) {
            return "\(sentence); did you mean \(prefix + near)?"
        }
        if let related = NearestWord.related(to: name, among: siblings) {
            return "\(sentence); did you mean \(prefix + related)?"
        }
        if let near = NearestWord.nearest(to: name, among: ConfigurationKey.all.map(\.name)),
            let key = ConfigurationKey.all.first(where: { $0.name == near })
        {
            return "\(sentence); did you mean \(key.path)?"
        }
        return "\(sentence); the keys are \(siblings.joined(separator: ", "))"
    }

    /// Returns the message about a key in the settings of an app group that no app group can have.
    static func problem(inGroup name: String, _ section: String) -> String {
        let path = section.isEmpty ? name : "\(section).\(name)"
        if let key = ConfigurationKey.named(path) ?? ConfigurationKey.all.first(where: { $0.section == path }) {
            let place = key.path == path ? path : "\(path).\(key.name)"
            return "\(shown(path)) is for all groups together: write \(place) at the top of the file"
        }
        let known = ConfigurationKey.forGroups.filter { $0.section == section }.map(\.name)
        return problem(with: name, among: section.isEmpty ? known + ConfigurationKey.groupSections.sorted() : known)
    }

    /// Returns the message about an unknown key of a mapping that is a part of a value.
    static func problem(with name: String, among known: [String]) -> String {
        let sentence = "\(shown(name)) is not a key"
        let bareName = bare(name)
        let near = known.first { bare($0) == bareName } ?? NearestWord.nearest(to: name, among: known)
        guard let near else { return "\(sentence); the keys are \(known.joined(separator: ", "))" }
        return "\(sentence); did you mean \(near)?"
    }

    /// Returns the names of the keys in a section. At the top, they include the sections.
    static func names(in section: String) -> [String] {
        let sections = section.isEmpty ? ConfigurationSection.all.map(\.name).filter { !$0.isEmpty } : []
        let keys = ConfigurationSection.all.first { $0.name == section }?.keys.map(\.name) ?? []
        return keys + sections
    }

    /// Returns a name, in quotes unless it is a plain word.
    static func shown(_ name: String) -> String {
        let isPlain =
            !name.isEmpty && name.count <= 60
            && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || ".-_".contains($0)) }
        return isPlain ? name : QuotedText.quote(name)
    }

    /// Returns a name in lower case and without hyphens and underscores.
    private static func bare(_ name: String) -> String { name.lowercased().filter { $0 != "_" && $0 != "-" } }
}
