package import Base
package import HTTPTypes
import NotificationModel

/// A parameter of a route: its place in the head of a request, its description for the OpenAPI document, and the
/// reading of its value.
///
/// The shared parameters are computed properties, whose closures capture nothing, so that reading one allocates no
/// memory.
package struct Parameter<Value>: Sendable {
    package let name: String
    package let place: ParameterPlace
    package let meaning: String
    package let schema: @Sendable () -> JSONValue
    /// Reads the value from its text, which is `nil` if the request does not have the parameter.
    package let read: @Sendable (_ text: String?, RouteArguments) throws(Problem) -> Value

    package init(
        _ name: String, in place: ParameterPlace, _ meaning: String,
        _ schema: @escaping @autoclosure @Sendable () -> JSONValue,
        read: @escaping @Sendable (_ text: String?, RouteArguments) throws(Problem) -> Value
    ) { (self.name, self.place, self.meaning, self.schema, self.read) = (name, place, meaning, schema, read) }

    /// Returns the parameter with another description.
    package func described(as meaning: String, _ schema: JSONValue? = nil) -> Self {
        Self(name, in: place, meaning, schema ?? self.schema(), read: read)
    }

    /// Creates a parameter with a value for requests that do not have it.
    ///
    /// - Parameter refusal: The sentence about a text that has no value, after the name of the parameter.
    package init(
        _ name: String, in place: ParameterPlace = .query, _ meaning: String, _ schema: JSONValue, default usual: Value,
        _ refusal: @escaping @autoclosure @Sendable () -> String, parse: @escaping @Sendable (String) -> Value?
    ) where Value: Sendable {
        self.init(name, in: place, meaning, schema) { text, _ throws(Problem) in
            guard let text else { return usual }
            if let value = parse(text) { return value }
            if case .header = place { throw .header(name, refusal()) }
            throw .parameter(name, refusal())
        }
    }

    /// Creates a parameter that is `nil` for requests that do not have it.
    package init<Wrapped: Sendable>(
        _ name: String, in place: ParameterPlace = .query, _ meaning: String, _ schema: JSONValue,
        _ refusal: @escaping @autoclosure @Sendable () -> String, parse: @escaping @Sendable (String) -> Wrapped?
    ) where Value == Wrapped? {
        self.init(name, in: place, meaning, schema, default: nil, refusal()) { text in parse(text).map { .some($0) } }
    }
}

extension Parameter where Value == String? {
    /// Creates a parameter of the query with any text.
    package init(_ name: String, _ meaning: String, _ schema: JSONValue = .anyText) {
        self.init(name, in: .query, meaning, schema) { text, _ in text }
    }
}

extension Parameter where Value == String {
    /// Creates a parameter of the path with any text.
    package init(path name: String, _ meaning: String, _ schema: JSONValue = .anyText) {
        self.init(name, in: .path, meaning, schema) { text, _ in text ?? "" }
    }
}

extension Parameter where Value == Bool {
    /// Creates a parameter of the query that is `true` or `false`; `false` if it is missing.
    package init(flag name: String, _ meaning: String) {
        let schema: JSONValue = ["type": "string", "enum": ["true", "false"], "default": "false"]
        self.init(name, meaning, schema, default: false, "must be true or false.") { text in
            ["true": true, "false": false][text]
        }
    }
}

extension Parameter {
    /// Creates a parameter of the query that has one of some values.
    package init<Choice: CaseIterable & RawRepresentable<String> & Sendable>(choice name: String, _ meaning: String)
    where Value == Choice? {
        let schema: JSONValue = ["type": "string", "enum": .names(of: Choice.self)]
        self.init(name, meaning, schema, "must be one of \(Choice.list).") { Choice(rawValue: $0) }
    }

    /// Creates a parameter of the query that is a number of elements.
    package init(_ name: String, _ meaning: String, upTo most: Int, default usual: Int) where Value == Int {
        let schema: JSONValue = ["type": "integer", "minimum": 1, "maximum": .number(most), "default": .number(usual)]
        self.init(name, meaning, schema, default: usual, "must be a number from 1 to \(most).") { text in
            text.utf8.allSatisfy(\.isASCIIDigit) ? Int(text).flatMap { (1...most).contains($0) ? $0 : nil } : nil
        }
    }
}

package enum ParameterPlace: Sendable, Equatable {
    case path
    case query
    case header(HTTPField.Name)
}

/// The description of a parameter, whatever the type of its value.
package struct ParameterDescription: Sendable {
    package let name: String
    package let place: ParameterPlace
    /// The parameter as the OpenAPI document shows it.
    package let json: JSONValue
}

extension [ParameterDescription] {
    /// Returns the descriptions of parameters, in their order.
    package static func of<each Value>(_ parameters: repeat Parameter<each Value>) -> [ParameterDescription] {
        var descriptions: [ParameterDescription] = []
        for parameter in repeat each parameters {
            let place =
                switch parameter.place {
                case .path: "path"
                case .query: "query"
                case .header: "header"
                }
            let json: JSONValue = [
                "name": .string(parameter.name), "in": .string(place), "required": .bool(parameter.place == .path),
                "description": .string(parameter.meaning), "schema": parameter.schema(),
            ]
            descriptions.append(ParameterDescription(name: parameter.name, place: parameter.place, json: json))
        }
        return descriptions
    }
}

extension CaseIterable where Self: RawRepresentable<String> {
    /// All values, for a sentence.
    package static var list: String { allCases.map(\.rawValue).joined(separator: ", ") }
}

extension JSONValue {
    package static var anyText: JSONValue { ["type": "string"] }
    package static var anyTextOrNull: JSONValue { ["type": ["string", "null"]] }

    package static func pattern(_ pattern: String) -> JSONValue { ["type": "string", "pattern": .string(pattern)] }

    package static func examples(_ examples: JSONValue...) -> JSONValue {
        ["type": "string", "examples": .array(examples)]
    }

    package static func names<Choice: CaseIterable & RawRepresentable<String>>(of type: Choice.Type) -> JSONValue {
        .array(type.allCases.map { .string($0.rawValue) })
    }
}
