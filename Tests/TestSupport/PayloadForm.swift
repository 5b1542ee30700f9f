package import Base

/// A payload of `fixtures/payload-forms.json` with its expected content.
package struct PayloadForm: Sendable, CustomStringConvertible {
    package let name: String
    package let payload: JSONObject
    package let dialect: String?
    package let title: String?
    package let body: String?
    package let media: [String]

    package var description: String { name }

    package static func all() throws -> [PayloadForm] {
        let text = String(decoding: try Fixtures.bytes("payload-forms.json"), as: UTF8.self)
        return (try JSONParser.value(of: text).array ?? []).map { form in
            PayloadForm(
                name: form["name"]?.string ?? "", payload: form["payload"]?.object ?? JSONObject(),
                dialect: form["dialect"]?.string, title: form["title"]?.string, body: form["body"]?.string,
                media: form["media"]?.array?.compactMap(\.string) ?? [])
        }
    }
}
