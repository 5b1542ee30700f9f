import Foundation
import HTTPCaching

/// What of a response the index has as text: the fields, a line for each, as HTTP/1.1 writes them (RFC 9112 §5).
struct SerializedHead: Sendable {
    let fields: Data
    let requestFields: Data

    init(_ response: StoredResponse) {
        fields = Data(response.head.lines.bytes)
        requestFields = Data(FieldLines(response.requestFields).bytes)
    }

    var byteCount: Int { fields.count + requestFields.count }
}
