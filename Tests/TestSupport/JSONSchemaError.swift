package import JSON
import NotificationModel

/// Why a schema is none, or has more than is understood here.
package struct JSONSchemaError: Error, Equatable, CustomStringConvertible {
    package var place: JSONPath
    package var problem: String

    package var description: String { "\(place): \(problem)" }
}
