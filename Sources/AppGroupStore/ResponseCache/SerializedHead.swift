import Foundation
import HTTPCaching

/// The header fields of a response as the index stores them. Each field is a line of HTTP/1.1 (RFC 9112 §5).
struct SerializedHead: Sendable {
    let fields: Data
    let requestFields: Data

    init(_ response: StoredResponse) {
        fields = Data(response.head.lines.bytes)
        requestFields = Data(FieldLines(response.requestFields).bytes)
    }

    var byteCount: Int { fields.count + requestFields.count }
}
