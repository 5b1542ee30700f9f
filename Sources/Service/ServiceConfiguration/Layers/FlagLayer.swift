import Base
import NotificationModel

/// The values of the flags. If a flag with one value is repeated, the last value applies. If a flag with a list is
/// repeated, the lists are joined.
struct FlagLayer {
    private(set) var values: [String: ConfigNode] = [:]
    private(set) var problems: [String] = []

    init(_ flags: [FlagValue]) {
        for given in flags {
            guard let key = ConfigurationKey.all.first(where: { $0.flag == given.flag }) else {
                let near = NearestWord.nearest(to: given.flag, among: ConfigurationKey.all.compactMap(\.flag))
                problems.append("\(given.flag): there is no such flag" + (near.map { "; did you mean \($0)?" } ?? ""))
                continue
            }
            do throws(ValueErrors) {
                let value = try TextValue.cut(given.text, as: key.shape, from: .flag(given.flag))
                values[key.path] = Self.join(values[key.path], value)
            } catch {
                problems += error.all.map { "\(given.flag): \($0.text)" }
            }
        }
    }

    private static func join(_ earlier: ConfigNode?, _ value: ConfigNode) -> ConfigNode {
        guard case .list(let first) = earlier?.content, case .list(let second) = value.content else { return value }
        return ConfigNode(content: .list(first + second), source: value.source)
    }
}

/// The values of the variables that begin with `APPGROUPD_`.
struct EnvironmentLayer {
    static let prefix = "APPGROUPD_"
    /// The variable that names the configuration file. It is not a key.
    static let fileVariable = "APPGROUPD_CONFIG"

    private(set) var values: [String: ConfigNode] = [:]
    private(set) var problems: [String] = []

    init(_ environment: [String: String]) {
        let keys = Dictionary(uniqueKeysWithValues: ConfigurationKey.all.map { ($0.environmentName, $0) })
        for (name, text) in environment.sorted(by: { $0.key < $1.key }) where name.hasPrefix(Self.prefix) {
            guard name != Self.fileVariable else { continue }
            guard let key = keys[name] else {
                problems.append(Self.problem(with: name, known: [Self.fileVariable] + keys.keys.sorted()))
                continue
            }
            do throws(ValueErrors) {
                values[key.path] = try TextValue.cut(text, as: key.shape, from: .environment(name))
            } catch {
                problems += error.all.map { "\(name): \($0.text)" }
            }
        }
    }

    private static func problem(with name: String, known: [String]) -> String {
        let sentence = "\(KeySuggestion.shown(name)): there is no such variable"
        guard let near = NearestWord.nearest(to: name, among: known) else {
            return "\(sentence): unset it"
        }
        return "\(sentence); did you mean \(near)?"
    }
}
