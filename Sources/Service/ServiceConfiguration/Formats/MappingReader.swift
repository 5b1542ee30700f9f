extension ConfigNode {
    /// Reads a list of mappings. The reading continues after an invalid element, and all errors are reported with the
    /// positions of their elements.
    ///
    /// - Parameter noun: The plural noun of the elements in the message about too many elements.
    func elements<Element>(
        of plural: String, most: Int, _ noun: String,
        _ read: (ConfigNode, _ position: Int) throws(ValueErrors) -> Element
    ) throws(ValueErrors) -> [Element] {
        guard case .list(let entries) = content else {
            throw refusal("\(warning): it must be a list of \(plural), or [] for none")
        }
        guard entries.count <= most else { throw refusal("has more than \(most) \(noun): remove some") }
        var elements: [Element] = []
        var refusals: [ValueError] = []
        for (position, entry) in entries.enumerated() {
            do throws(ValueErrors) { elements.append(try read(entry, position)) } catch {
                refusals += error.below("[\(position)]")
            }
        }
        guard refusals.isEmpty else { throw ValueErrors(refusals) }
        return elements
    }
}

/// A reader for a mapping that is a part of a value and has a closed set of keys. The reader continues after an error,
/// in order to report all errors.
struct MappingReader {
    private let source: ValueSource
    private var values: [String: ConfigNode] = [:]
    private var refusals: [ValueError] = []

    /// - Parameter keys: All keys that the mapping may have.
    init(_ value: ConfigNode, keys: [String]) throws(ValueErrors) {
        guard case .map(let members) = value.content else {
            throw value.refusal(
                "\(value.warning): it must be a mapping with keys of \(keys.joined(separator: ", "))")
        }
        source = value.source
        for member in members {
            if keys.contains(member.name) {
                // An error in a list that begins on a later line is reported with the line of its key.
                values[member.name] = ConfigNode(content: member.value.content, source: member.source)
            } else {
                let text = KeySuggestion.problem(with: member.name, among: keys)
                refusals.append(ValueError(source: member.source, text: text))
            }
        }
    }

    func has(_ key: String) -> Bool { values[key] != nil }

    /// Returns the value of a key; `nil` if the key is missing or its value is invalid.
    mutating func value<Value>(_ key: String, _ format: ValueCodec<Value>) -> Value? {
        guard let written = values[key] else { return nil }
        do throws(ValueErrors) {
            return try format.read(written)
        } catch {
            refusals += error.below("." + key)
            return nil
        }
    }

    /// Returns the value of a key that must be present; `nil` if it is missing or invalid.
    mutating func required<Value>(_ key: String, _ format: ValueCodec<Value>) -> Value? {
        if !has(key) { refuse(key, "is missing: it must be \(format.expected)") }
        return value(key, format)
    }

    /// Reads a mapping below a key. If all of its keys are commented out, it is treated as missing.
    mutating func mapping(_ key: String, keys: [String], _ read: (inout MappingReader) -> Void) {
        guard let written = values[key] else { return }
        if case .nothing = written.content { return }
        do throws(ValueErrors) {
            var reader = try MappingReader(written, keys: keys)
            read(&reader)
            try reader.finish()
        } catch {
            refusals += error.below("." + key)
        }
    }

    mutating func refuse(_ key: String, _ text: String) {
        refusals.append(ValueError(source: values[key]?.source ?? source, place: "." + key, text: text))
    }

    /// Ends the reading of the mapping.
    ///
    /// - Throws: All errors that were found.
    func finish() throws(ValueErrors) {
        guard refusals.isEmpty else { throw ValueErrors(refusals) }
    }
}
