package import JSON
import NotificationModel

/// A violation of a schema: the keyword, and the places in the value and in the schema.
package struct JSONSchemaViolation: Sendable, Equatable, CustomStringConvertible {
    /// The place in the value.
    package var place: JSONPath
    /// The place of the keyword in the schema.
    package var keyword: JSONPath
    package var problem: String

    package var description: String { "\"\(place)\" \(problem) (\(keyword))" }
}
