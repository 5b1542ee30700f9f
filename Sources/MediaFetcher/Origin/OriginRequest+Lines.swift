import HTTPCaching
import HTTPTypes

extension OriginRequest {
    /// The fields as they are and no others, in libcurl's way of writing them (CURLOPT_HTTPHEADER): `Name: value`,
    /// `Name;` for one without a value, and `Name:` for one of its own that is not to be sent.
    var lines: [String] {
        var lines = fields.map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" }
        for name in [HTTPField.Name.accept, .contentType, .expect] where !fields.contains(name) {
            lines.append("\(name):")
        }
        // Without it, an origin may wait for a body (RFC 9110 §8.6).
        if body.isEmpty, [.post, .put, .patch].contains(method) { lines.append("Content-Length: 0") }
        return lines
    }
}
