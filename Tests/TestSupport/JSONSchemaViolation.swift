package import Base
import NotificationModel

/// A violation of a schema: the path of the violating part in the value, and that of the keyword in the schema.
package struct JSONSchemaViolation: Sendable, Equatable, CustomStringConvertible {
    /// The path of the violating part in the value.
    package var place: JSONPath
    /// The path of the keyword in the schema.
    package var keyword: JSONPath
    package var problem: String

    package var description: String { "\"\(place)\" \(problem) (\(keyword))" }
}
