import Base
import NotificationModel

/// A parsed part of a schema: its assertions with their paths. The type is a class, because it contains other
/// subschemas.
final class JSONSubschema {
    /// The names of JSON's types, and `integer`, which JSON Schema adds for whole numbers.
    enum TypeName: String, CaseIterable {
        case null, boolean, number, integer, string, array, object
    }

    enum Assertion {
        /// The assertion of the schema `false`, which no value meets.
        case nothing
        case types([TypeName])
        case values([JSONValue])
        case required([String])
        /// The keywords `properties` and `additionalProperties`, which concern the same members.
        case members([String: JSONSubschema], others: JSONSubschema?)
        case items(JSONSubschema)
        case count(ClosedRange<Int>)
        /// The number of code points of a string.
        case length(ClosedRange<Int>)
        case range(ClosedRange<Double>)
        case pattern(Regex<AnyRegexOutput>, text: String)
        case dateTime(DateTimeFormat)
        case reference(String)
        case all([JSONSubschema])
        case any([JSONSubschema])
        case one([JSONSubschema])
        case not(JSONSubschema)
        case condition(JSONSubschema, then: JSONSubschema?, otherwise: JSONSubschema?)
    }

    let assertions: [(place: JSONPath, assertion: Assertion)]

    init(_ assertions: [(place: JSONPath, assertion: Assertion)]) { self.assertions = assertions }
}
