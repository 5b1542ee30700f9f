/// The head of a response as received.
struct WireHead {
    let status: Int
    private let fields: [(name: String, value: String)]

    init(parsing text: Substring) {
        let lines = text.split(separator: "\r\n")
        status = lines.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? -1
        fields = lines.dropFirst().map { line in
            let parts = line.split(separator: ": ", maxSplits: 1)
            return (parts[0].lowercased(), parts.count == 2 ? String(parts[1]) : "")
        }
    }

    /// Returns the value of the only header with this name (lower case); `nil` if there is no header or more than one.
    subscript(name: String) -> String? {
        let matches = values(name)
        return matches.count == 1 ? matches[0] : nil
    }

    /// Returns the values of all headers with this name (lower case), in their order.
    func values(_ name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }
}
