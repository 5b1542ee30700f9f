import JSON
import NotificationModel

extension EnvelopeFields {
    /// The largest number of labels of a request, and the largest size of a label in bytes.
    private static let (mostLabels, longestLabel) = (32, 128)

    /// Returns the labels of a request: strings that only their caller understands. A request without labels has none.
    func labels(_ key: String) throws(EnvelopeError) -> [String] {
        guard let values = try array(key) else { return [] }
        guard values.count <= Self.mostLabels else {
            throw EnvelopeError(key: key, problem: "has \(values.count) labels: write at most \(Self.mostLabels)")
        }
        var labels: [String] = []
        for (index, value) in values.enumerated() {
            guard let label = value.string, (1...Self.longestLabel).contains(label.utf8.count) else {
                let found = value.string.map { "has \($0.utf8.count) bytes" } ?? "is \(value.typeName)"
                throw EnvelopeError(
                    key: key, problem: "label \(index + 1) \(found), not a string of 1 to \(Self.longestLabel) bytes")
            }
            labels.append(label)
        }
        return labels
    }
}
