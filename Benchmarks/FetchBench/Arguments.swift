/// `--name value` and `--flag`, in any order: what a person gives the bench, and the bench its workers.
struct Arguments: Sendable {
    private static let flags: Set<String> = ["quick", "cache", "from-pool"]
    private static let names: Set<String> = [
        "address", "ca-file", "count", "fixtures", "only", "parallel", "results", "root", "rounds", "stalled-address",
        "stalled", "transcoder", "worker",
    ]

    private var values: [String: String] = [:]

    init() {}

    init(_ words: some Sequence<String>) throws {
        var words = words.makeIterator()
        while let word = words.next() {
            let name = String(word.dropFirst(2))
            guard word.hasPrefix("--"), Self.flags.contains(name) || Self.names.contains(name) else {
                throw BenchFailure("\(word) is no option")
            }
            if Self.flags.contains(name) {
                values[name] = ""
            } else {
                guard let value = words.next() else { throw BenchFailure("--\(name) needs a value") }
                values[name] = value
            }
        }
    }

    /// `nil` removes it; a flag's value is empty.
    subscript(name: String) -> String? {
        get { values[name] }
        set { values[name] = newValue }
    }

    func required(_ name: String) throws -> String {
        guard let value = values[name] else { throw BenchFailure("--\(name) is missing") }
        return value
    }

    /// - Returns: `standard` where it is not given.
    func number(_ name: String, else standard: Int) throws -> Int {
        guard let text = values[name] else { return standard }
        guard let number = Int(text), number > 0 else { throw BenchFailure("--\(name) is a number from 1") }
        return number
    }

    /// As they are given to a process.
    var words: [String] {
        values.sorted { $0.key < $1.key }.flatMap { name, value in value.isEmpty ? ["--\(name)"] : ["--\(name)", value]
        }
    }
}
