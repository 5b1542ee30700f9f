package import JSON
import NotificationModel

/// What a value does against a schema: which keyword, and where in both.
package struct JSONSchemaViolation: Sendable, Equatable, CustomStringConvertible {
    /// In the value.
    package var place: JSONPath
    /// Of the keyword, in the schema.
    package var keyword: JSONPath
    package var problem: String

    package var description: String { "\"\(place)\" \(problem) (\(keyword))" }
}
