import HTTPCaching
import HTTPTypes
import NotificationModel

extension FuzzTarget {
    /// A section of the input: a method or a status, and headers.
    struct Section {
        private let title: String
        let fields: FieldLines

        init(_ bytes: ArraySlice<UInt8>) {
            let line = bytes.prefix { $0 != UInt8(ascii: "\n") }
            let hasTitle = !line.contains(UInt8(ascii: ":"))
            title = hasTitle ? String(decoding: line, as: UTF8.self) : ""
            fields = FieldLines(Array(hasTitle ? bytes.dropFirst(line.count + 1) : bytes))
        }

        var request: OriginRequest {
            OriginRequest(
                HTTPRequest.Method(title) ?? .get, "https://cdn.example/a.jpg", fields: fields.fields)
        }

        var response: ResponseHead {
            ResponseHead(status: Int(title).flatMap { (200...599).contains($0) ? $0 : nil } ?? 200, lines: fields)
        }
    }

    /// Divides an input at its empty lines.
    ///
    /// - Returns: At least one section.
    static func sections(of bytes: [UInt8]) -> [Section] {
        var sections: [Section] = []
        var start = 0
        for index in bytes.indices.dropLast() where index >= start {
            guard bytes[index] == UInt8(ascii: "\n"), bytes[index + 1] == UInt8(ascii: "\n") else { continue }
            sections.append(Section(bytes[start..<index + 1]))
            start = index + 2
        }
        return sections + [Section(bytes[start...])]
    }
}
