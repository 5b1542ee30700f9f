/// The arguments of a benchmark or its workers: `--name value` and `--flag`, in any order.
package struct Arguments: Sendable {
    /// The names and flags that a benchmark accepts.
    package struct Vocabulary: Sendable {
        let flags: Set<String>
        let names: Set<String>

        /// - Parameter flags: The names of arguments without a value.
        /// - Parameter names: The names of arguments with a value.
        package init(flags: Set<String>, names: Set<String>) {
            self.flags = flags
            self.names = names
        }
    }

    private var values: [String: String] = [:]

    package init() {}

    package init(_ words: some Sequence<String>, of vocabulary: Vocabulary) throws {
        var words = words.makeIterator()
        while let word = words.next() {
            let name = String(word.dropFirst(2))
            let isFlag = vocabulary.flags.contains(name)
            guard word.hasPrefix("--"), isFlag || vocabulary.names.contains(name) else {
                throw BenchFailure("\(word) is not an option")
            }
            if isFlag {
                values[name] = ""
            } else {
                guard let value = words.next() else { throw BenchFailure("--\(name) needs a value") }
                values[name] = value
            }
        }
    }

    /// The value of an argument, which is empty for a flag. Setting `nil` removes the argument.
    package subscript(name: String) -> String? {
        get { values[name] }
        set { values[name] = newValue }
    }

    package func required(_ name: String) throws -> String {
        guard let value = values[name] else { throw BenchFailure("--\(name) is missing") }
        return value
    }

    /// Returns the number of an argument, or `standard` if the argument is missing.
    package func number(_ name: String, else standard: Int) throws -> Int {
        guard let text = values[name] else { return standard }
        guard let number = Int(text), number > 0 else { throw BenchFailure("--\(name) must be a number from 1") }
        return number
    }

    /// Returns the cases that `--only` names, or all cases if it is missing.
    package func cases(of all: [String]) throws -> Set<String> {
        let cases = Set(values["only"]?.split(separator: ",").map(String.init) ?? all)
        guard cases.isSubset(of: all) else { throw BenchFailure("--only takes: \(all.joined(separator: ","))") }
        return cases
    }

    /// The arguments as an array of strings for a new process.
    package var words: [String] {
        values.sorted { $0.key < $1.key }.flatMap { name, value in value.isEmpty ? ["--\(name)"] : ["--\(name)", value]
        }
    }
}
