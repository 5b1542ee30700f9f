/// Reads a mapping with a closed set of keys that is part of a value, and goes on after what is wrong, so that all of it
/// is told.
struct MappingReader {
    private let source: ValueSource
    private var values: [String: ConfigNode] = [:]
    private var refusals: [ValueError] = []

    /// - Parameter keys: all that there are.
    init(_ value: ConfigNode, keys: [String]) throws(ValueErrors) {
        guard case .map(let members) = value.content else {
            throw value.refusal(
                "\(value.complaint): it must be a mapping with keys of \(keys.joined(separator: ", "))")
        }
        source = value.source
        for member in members {
            if keys.contains(member.name) {
                // A list that begins below its key is told by the key's line.
                values[member.name] = ConfigNode(content: member.value.content, source: member.source)
            } else {
                let text = KeySuggestion.problem(with: member.name, among: keys)
                refusals.append(ValueError(source: member.source, text: text))
            }
        }
    }

    func has(_ key: String) -> Bool { values[key] != nil }

    /// `nil`: it is not there, or wrong.
    mutating func value<Value>(_ key: String, _ format: ValueCodec<Value>) -> Value? {
        guard let written = values[key] else { return nil }
        do throws(ValueErrors) {
            return try format.read(written)
        } catch {
            refusals += error.below("." + key)
            return nil
        }
    }

    /// The same of a key that must be there.
    mutating func required<Value>(_ key: String, _ format: ValueCodec<Value>) -> Value? {
        if !has(key) { refuse(key, "is missing: it must be \(format.expected)") }
        return value(key, format)
    }

    /// A mapping of its own; one whose keys are all commented out is not there.
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

    /// - Throws: all that was refused.
    func finish() throws(ValueErrors) {
        guard refusals.isEmpty else { throw ValueErrors(refusals) }
    }
}
