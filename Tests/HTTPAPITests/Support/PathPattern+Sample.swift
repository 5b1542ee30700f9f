@testable import HTTPAPI

extension PathPattern {
    /// A path with this pattern.
    var sample: String {
        [
            "{id}": "a", "{group}": "group.default", "{file}": String(repeating: "a", count: 64) + ".jpg",
            "{kind}": "full", "{name}": "a", "{event}": "read",
        ].reduce(description) { path, parameter in path.replacing(parameter.key, with: parameter.value) }
    }
}
