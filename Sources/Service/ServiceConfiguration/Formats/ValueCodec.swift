import Base

/// The rules by which the values of a type are read and shown.
struct ValueCodec<Value: Equatable & Sendable>: Sendable {
    /// The description of a valid value, with its article and range.
    let expected: String
    /// The shape of the value, which decides how the text of a flag or variable is divided.
    let shape: ValueShape
    let read: @Sendable (ConfigNode) throws(ValueErrors) -> Value
    /// Returns the value as people and scripts see it. Secrets are hidden.
    let json: @Sendable (Value) -> JSONValue
}

/// The largest number of elements in a list. Each element is compared with all earlier elements.
private let maxList = 4_096

extension ValueCodec {
    /// Returns the codec of a value that is one text.
    ///
    /// - Parameter examples: Examples for messages; `nil` if there are no examples.
    static func text(
        _ expected: String, as examples: String? = nil, _ parse: @escaping @Sendable (String) -> Value?,
        shown: @escaping @Sendable (Value) -> JSONValue
    ) -> ValueCodec {
        let expectedInFull = examples.map { "\(expected), such as \($0)" } ?? expected
        return ValueCodec(
            expected: expected, shape: .text,
            read: { value throws(ValueErrors) in
                let text = try value.text(expectedInFull)
                guard let parsed = parse(text) else {
                    throw value.refusal("\(QuotedText.quote(text)) is not \(expectedInFull)")
                }
                return parsed
            },
            json: shown)
    }

    /// Returns the codec of a value or the word `none`.
    static func orNone<Wrapped>(_ format: ValueCodec<Wrapped>) -> ValueCodec where Value == Wrapped? {
        ValueCodec(
            expected: format.expected + "; or none", shape: format.shape,
            read: { value throws(ValueErrors) in
                if case .text("none") = value.content { return nil }
                return try format.read(value)
            },
            json: { value in value.map(format.json) ?? .null })
    }

    /// Returns the codec of a list. Repeated elements are dropped.
    ///
    /// - Parameter plural: The plural noun of the elements, for messages.
    static func list<Element>(
        of plural: String, _ format: ValueCodec<Element>, atLeast minimum: Int = 0
    ) -> ValueCodec where Value == [Element] {
        let what = "a list of \(plural)"
        return ValueCodec(
            expected: "\(what); each is \(format.expected)", shape: .list,
            read: { value throws(ValueErrors) in
                guard case .list(let elements) = value.content else {
                    throw value.refusal("\(value.warning): it must be \(what), such as [one, two] or [] for none")
                }
                guard elements.count <= maxList else {
                    throw value.refusal("has more than \(maxList) elements: remove some")
                }
                var read: [Element] = []
                var refusals: [ValueError] = []
                for element in elements {
                    do throws(ValueErrors) {
                        let parsed = try format.read(element)
                        if !read.contains(parsed) { read.append(parsed) }
                    } catch {
                        refusals += error.all
                    }
                }
                guard refusals.isEmpty else { throw ValueErrors(refusals) }
                guard read.count >= minimum else { throw value.refusal("is empty: name at least one of \(plural)") }
                return read
            },
            json: { values in .array(values.map(format.json)) })
    }
}
