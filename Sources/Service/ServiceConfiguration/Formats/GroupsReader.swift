import NotificationModel

/// The reader of the value of `groups`. The value is a list of names, or a mapping of names to the settings of groups.
///
/// The settings of a group have the same keys as the file. Errors are collected for each group, so that a reload can
/// keep the earlier settings of a group with an error.
struct GroupsReader {
    /// The maximum number of groups.
    private static let most = 4_096
    /// The name in the mapping that is no group.
    private static let open = "open"

    /// The groups without errors.
    private(set) var groups = AppGroups()
    /// The errors that concern no single group.
    private(set) var errors: [ValueError] = []
    private(set) var errorsByGroup: [String: [ValueError]] = [:]

    /// - Parameter base: The configuration with the values of all other keys.
    init(_ value: ConfigNode, over base: Configuration) {
        guard case .map(let members) = value.content else {
            do throws(ValueErrors) {
                let names = try ValueCodec<[String]>.list(of: "app groups", .appGroup).read(value)
                groups.settings = names.map { AppGroupSettings($0, over: base) }
                groups.isOpen = names.isEmpty
            } catch {
                errors = error.all
            }
            return
        }
        guard members.count <= Self.most else {
            errors = value.refusal("has more than \(Self.most) groups: remove some").all
            return
        }
        var isOpen: Bool?
        for member in members {
            if member.name == Self.open, case .text = member.value.content {
                do throws(ValueErrors) { isOpen = try ValueCodec<Bool>.truth.read(member.value) } catch {
                    errors += error.below(".\(Self.open)")
                }
            } else {
                read(member, over: base)
            }
        }
        groups.isOpen = isOpen ?? (groups.settings.isEmpty && errorsByGroup.isEmpty)
    }

    /// The errors of the whole value and of all groups, for a configuration that keeps no earlier settings.
    var allErrors: [ValueError] {
        errors + errorsByGroup.sorted { $0.key < $1.key }.flatMap(\.value)
    }

    private mutating func read(_ member: ConfigNode.Member, over base: Configuration) {
        guard AppGroupName(member.name) != nil else {
            let name = QuotedText.quote(member.name)
            errors.append(
                ValueError(
                    source: member.source, text: "\(name) is not \(ValueCodec<String>.appGroup.expected), and not open")
            )
            return
        }
        var settings = AppGroupSettings(member.name, over: base)
        var values: [String: ConfigNode] = [:]
        var problems = Self.collect(member.value, of: member, section: "", into: &values)
        // The keys are read in the order of the reference, because some values depend on the values before them.
        for key in ConfigurationKey.forGroups {
            guard let value = values[key.path] else { continue }
            do throws(ValueErrors) { try settings.read(value, as: key, over: base) } catch {
                problems += error.below(".\(key.path)")
            }
        }
        if problems.isEmpty {
            groups.settings.append(settings)
        } else {
            errorsByGroup[member.name] = ValueErrors(problems).below(".\(member.name)")
        }
    }

    /// Collects the values of a group or of one of its sections, by the paths of their keys.
    ///
    /// - Returns: The errors of unknown keys.
    private static func collect(
        _ value: ConfigNode, of member: ConfigNode.Member, section: String, into values: inout [String: ConfigNode]
    ) -> [ValueError] {
        switch value.content {
        case .nothing: return []
        case .map(let members):
            return members.flatMap { inner -> [ValueError] in
                let path = section.isEmpty ? inner.name : "\(section).\(inner.name)"
                if section.isEmpty, ConfigurationKey.groupSections.contains(inner.name) {
                    return collect(inner.value, of: inner, section: inner.name, into: &values)
                }
                guard ConfigurationKey.pathsForGroups.contains(path) else {
                    return [ValueError(source: inner.source, text: KeySuggestion.problem(inGroup: inner.name, section))]
                }
                values[path] = ConfigNode(content: inner.value.content, source: inner.source)
                return []
            }
        case .text, .list:
            let place = section.isEmpty ? "" : ".\(section)"
            let text = "\(value.warning): it must be a mapping of keys, such as {budget: 10s}"
            return [ValueError(source: member.source, place: place, text: text)]
        }
    }
}
