import Base
import FeatureKit
import NotificationModel
import ServiceConfiguration

/// The reader of `configuration`: keys of the daemon's configuration with their whole paths, such as
/// `fetch.redirects: 1`.
struct SettingsReader {
    /// The beginnings of the keys that the pipeline reads. Other keys concern the daemon around it.
    private static let beginnings = [
        "reserve", "dialects", "texts", "fetch.", "media.", "payloads.", "push.", "apns.", "twomee.", "sendios.",
        "comapi.", "matrix.", "homeassistant.",
    ]

    let problems: ProblemList

    private static let keys = ConfigurationKey.all.filter { key in beginnings.contains(where: key.path.hasPrefix) }

    /// Returns the configuration with the values of a mapping; `nil` if a value is reported.
    func configuration(_ node: ScenarioNode) -> Configuration? {
        guard let members = node.members else {
            problems.add(node.mark, "configuration is \(node.shown): write a mapping, such as {fetch.redirects: 1}")
            return nil
        }
        var values: [String: String] = [:]
        for member in members {
            let name = member.name.value
            guard let key = Self.keys.first(where: { $0.path == name }) else {
                let near = NearestWord.related(to: name, among: Self.keys.map(\.path))
                problems.add(
                    member.name.mark,
                    "\(name) is not a key of the pipeline's configuration: "
                        + (near.map { "did you mean \($0)?" } ?? "docs/operate/configuration.md lists the keys"))
                continue
            }
            let text = Self.text(of: member.value)
            values[key.environmentName] = text
            if case .failure(let errors) = Self.load([key.environmentName: text]) {
                let line = errors.lines[0].replacing("\(key.environmentName): ", with: "\(name): ")
                problems.add(member.value.mark, line)
            }
        }
        return try? Self.load(values).get()
    }

    private static func load(_ values: [String: String]) -> Result<Configuration, ConfigurationErrors> {
        ConfigurationLoader(environment: values, defaults: .ofThisMachine, defaultPath: "/dev/null").load()
    }

    /// Returns a value as an environment variable has it.
    private static func text(of node: ScenarioNode) -> String {
        if let text = node.text { return text }
        if case .list(let elements) = node.content, elements.allSatisfy({ $0.text != nil }) {
            return elements.compactMap(\.text).joined(separator: ", ")
        }
        return JSONWriter.text(of: node.json)
    }
}
