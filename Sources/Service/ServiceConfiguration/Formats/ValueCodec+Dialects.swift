import Base
import NotificationModel

extension ValueCodec where Value == [DialectDefinition] {
    /// - Parameter standard: The standard dialects, whose names must not be used.
    static func dialects(excluding standard: Set<DialectID>) -> ValueCodec {
        ValueCodec(
            expected: "a list of mappings, as in [Dialects of your own](#dialects-of-your-own)", shape: .listOfMappings,
            read: { value throws(ValueErrors) in
                var reader = DialectListReader(excluding: standard)
                return try reader.read(value)
            },
            json: { .array($0.map { .object(json(of: $0)) }) })
    }

    /// Returns a dialect as an operator could write it. Missing keys are left out.
    private static func json(of dialect: DialectDefinition) -> JSONObject {
        var shown = JSONObject()
        shown.append("name", .string(dialect.name.description))
        shown.append("recognisedBy", .string(dialect.recognisedBy.description))
        shown.append("media", .array(dialect.media.map { .string($0.description) }))
        append([("type", dialect.type)] + lines(of: dialect.text), to: &shown)
        append("fallback", lines(of: dialect.fallback), to: &shown)
        append([("identifier", dialect.identifier), ("link", dialect.link)], to: &shown)
        append(
            "options",
            [
                ("thumbnailHidden", dialect.options.thumbnailHidden), ("thumbnailTime", dialect.options.thumbnailTime),
            ], to: &shown)
        return shown
    }

    private static func lines(of text: DialectDefinition.TextPaths) -> [(String, KeyPathText?)] {
        [("title", text.title), ("subtitle", text.subtitle), ("body", text.body)]
    }

    private static func append(_ paths: [(String, KeyPathText?)], to shown: inout JSONObject) {
        for (name, path) in paths {
            if let path { shown.append(name, .string(path.description)) }
        }
    }

    private static func append(_ name: String, _ paths: [(String, KeyPathText?)], to shown: inout JSONObject) {
        var object = JSONObject()
        append(paths, to: &object)
        if !object.isEmpty { shown.append(name, .object(object)) }
    }
}
