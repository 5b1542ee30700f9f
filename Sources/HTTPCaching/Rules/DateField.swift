import FoundationEssentials
import HTTPTypes

/// Who receives a response without a date gives it one before it is stored (RFC 9110 §6.6.1).
enum DateField {
    static func added(to fields: HTTPFields, received: Date) -> HTTPFields {
        guard !fields.contains(.date) else { return fields }
        var fields = fields
        fields[.date] = HTTPDate.text(received)
        return fields
    }
}
