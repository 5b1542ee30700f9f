package import Base
import NotificationModel

/// An error in a schema, or a part of it that is not supported.
package struct JSONSchemaError: Error, Equatable, CustomStringConvertible {
    package var place: JSONPath
    package var problem: String

    package var description: String { "\(place): \(problem)" }
}
