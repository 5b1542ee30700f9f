import JSON
import NotificationModel

/// A schema in a schema, read and ready to be checked: its assertions with their places. A class, since it holds others.
final class JSONSubschema {
    /// The names of JSON's types, and the one that JSON Schema adds: a number that is whole.
    enum TypeName: String, CaseIterable {
        case null, boolean, number, integer, string, array, object
    }

    enum Assertion {
        /// `false` as a schema.
        case nothing
        case types([TypeName])
        case values([JSONValue])
        case required([String])
        /// `properties` and `additionalProperties`, which look at the same members.
        case members([String: JSONSubschema], others: JSONSubschema?)
        case items(JSONSubschema)
        case count(ClosedRange<Int>)
        /// In code points.
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
