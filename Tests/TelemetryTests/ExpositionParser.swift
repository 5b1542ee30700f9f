/// A parser of the text exposition format 0.0.4, which refuses any text that does not follow the format.
///
/// Its source is the description of the format (prometheus.io, "Exposition formats", and the data model's rules for
/// names). The parser shares no code with the writer.
struct ExpositionParser {
    struct Family: Equatable {
        var help: String?
        var type: String?
        /// The samples in the order of their lines.
        var samples: [(name: String, labels: [String: String], value: Double)] = []

        static func == (left: Family, right: Family) -> Bool {
            left.help == right.help && left.type == right.type && left.samples.map(\.name) == right.samples.map(\.name)
                && left.samples.map(\.labels) == right.samples.map(\.labels)
        }
    }

    struct Problem: Error, CustomStringConvertible {
        let line: String
        let problem: String
        var description: String { "\(problem): \(line)" }
    }

    private var families: [String: Family] = [:]
    private var seenSeries: Set<[String]> = []
    private var current: String?
    private var finished: Set<String> = []

    static func families(of text: String) throws -> [String: Family] {
        var parser = ExpositionParser()
        guard text.isEmpty || text.hasSuffix("\n") else {
            throw Problem(line: text, problem: "no line feed at the end")
        }
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
            try parser.read(String(line))
        }
        for (name, family) in parser.families where family.type == "histogram" {
            try parser.checkHistogram(name, family)
        }
        return parser.families
    }

    private mutating func read(_ line: String) throws {
        if line.isEmpty { throw Problem(line: line, problem: "an empty line") }
        guard line.hasPrefix("#") else { return try readSample(line) }
        let parts = line.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 4, parts[0] == "#" else {
            throw Problem(line: line, problem: "an unexpected comment")
        }
        let name = parts[2]
        guard Self.isName(name, colons: true) else { throw Problem(line: line, problem: "not a metric name") }
        try begin(name, line)
        switch parts[1] {
        case "HELP":
            guard families[name]?.help == nil else { throw Problem(line: line, problem: "a second HELP") }
            families[name]?.help = try Self.unescaped(parts[3], quotes: false, line)
        case "TYPE":
            guard families[name]?.type == nil else { throw Problem(line: line, problem: "a second TYPE") }
            guard families[name]?.samples.isEmpty == true else {
                throw Problem(line: line, problem: "TYPE after samples")
            }
            guard ["counter", "gauge", "histogram", "summary", "untyped"].contains(parts[3]) else {
                throw Problem(line: line, problem: "an unknown type")
            }
            families[name]?.type = parts[3]
        default: throw Problem(line: line, problem: "neither HELP nor TYPE")
        }
    }

    /// Begins a metric, and checks that all its lines are in one group.
    private mutating func begin(_ name: String, _ line: String) throws {
        guard name != current else { return }
        if let current { finished.insert(current) }
        guard !finished.contains(name) else { throw Problem(line: line, problem: "a metric in two groups") }
        current = name
        families[name] = families[name] ?? Family()
    }

    private mutating func readSample(_ line: String) throws {
        var rest = Substring(line)
        let name = String(rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == ":" })
        guard Self.isName(name, colons: true) else { throw Problem(line: line, problem: "no metric name") }
        rest = rest.dropFirst(name.count)
        var labels: [String: String] = [:]
        if rest.first == "{" { labels = try Self.readLabels(&rest, line) }
        guard rest.first == " " else { throw Problem(line: line, problem: "no space before the value") }
        let number = String(rest.dropFirst())
        guard let value = Self.number(number) else { throw Problem(line: line, problem: "not a number") }
        var family = name
        for suffix in ["_bucket", "_sum", "_count"] where name.hasSuffix(suffix) {
            let base = String(name.dropLast(suffix.count))
            if families[base]?.type == "histogram" { family = base }
        }
        guard families[family]?.type != nil else { throw Problem(line: line, problem: "a sample without a TYPE") }
        guard families[family]?.type == "histogram" ? family != name : family == name else {
            throw Problem(line: line, problem: "a sample that its type does not have")
        }
        try begin(family, line)
        let identity = [name] + labels.sorted { $0.key < $1.key }.flatMap { [$0.key, $0.value] }
        guard seenSeries.insert(identity).inserted else { throw Problem(line: line, problem: "a duplicate series") }
        families[family]?.samples.append((name, labels, value))
    }

    private static func readLabels(_ rest: inout Substring, _ line: String) throws -> [String: String] {
        var labels: [String: String] = [:]
        rest = rest.dropFirst()
        while true {
            let name = String(rest.prefix { $0 != "=" })
            guard isName(name, colons: false), !name.hasPrefix("__") else {
                throw Problem(line: line, problem: "not a label name")
            }
            rest = rest.dropFirst(name.count)
            guard rest.hasPrefix("=\"") else { throw Problem(line: line, problem: "no quote before a label value") }
            rest = rest.dropFirst(2)
            var raw = ""
            // The loop reads single scalars, because a quotation mark and a combining mark are one character in Swift.
            var scalars = rest.unicodeScalars
            while let scalar = scalars.first, scalar != "\"" {
                raw.unicodeScalars.append(scalar)
                scalars = scalars.dropFirst()
                if scalar == "\\", let next = scalars.first {
                    raw.unicodeScalars.append(next)
                    scalars = scalars.dropFirst()
                }
            }
            guard scalars.first == "\"" else { throw Problem(line: line, problem: "no quote after a label value") }
            rest = Substring(scalars.dropFirst())
            guard labels.updateValue(try unescaped(raw, quotes: true, line), forKey: name) == nil else {
                throw Problem(line: line, problem: "a duplicate label")
            }
            if rest.first == "}" {
                rest = rest.dropFirst()
                return labels
            }
            guard rest.first == "," else { throw Problem(line: line, problem: "no comma between labels") }
            rest = rest.dropFirst()
        }
    }

    private static func isName(_ text: String, colons: Bool) -> Bool {
        guard let first = text.unicodeScalars.first, !("0"..."9").contains(first) else { return false }
        return text.unicodeScalars.allSatisfy { scalar in
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9", "_": true
            case ":": colons
            default: false
            }
        }
    }

    private static func unescaped(_ text: String, quotes: Bool, _ line: String) throws -> String {
        var result = ""
        var isEscape = false
        for scalar in text.unicodeScalars {
            switch (isEscape, scalar) {
            case (false, "\\"):
                isEscape = true
                continue
            case (true, "\\"): result += "\\"
            case (true, "n"): result += "\n"
            case (true, "\"") where quotes: result += "\""
            case (true, _): throw Problem(line: line, problem: "an unknown escape")
            case (false, _): result.unicodeScalars.append(scalar)
            }
            isEscape = false
        }
        guard !isEscape else { throw Problem(line: line, problem: "an escape without an end") }
        return result
    }

    private static func number(_ text: String) -> Double? {
        switch text {
        case "NaN": .nan
        case "+Inf": .infinity
        case "-Inf": -.infinity
        case _ where text.allSatisfy({ "0123456789+-.e".contains($0) }): Double(text)
        default: nil
        }
    }

    /// Checks a histogram by the description of the format: "The bucket with le="+Inf" must exist, its value must be
    /// identical to _count; buckets are in increasing order."
    private func checkHistogram(_ name: String, _ family: Family) throws {
        var series: [[String: String]: [(bound: Double, value: Double)]] = [:]
        for sample in family.samples where sample.name == name + "_bucket" {
            guard let le = sample.labels["le"], let bound = Self.number(le) else {
                throw Problem(line: name, problem: "a bucket without a bound")
            }
            series[sample.labels.filter { $0.key != "le" }, default: []].append((bound, sample.value))
        }
        for (labels, buckets) in series {
            let bounds = buckets.map(\.bound)
            let values = buckets.map(\.value)
            guard bounds == bounds.sorted(), Set(bounds).count == bounds.count, values == values.sorted() else {
                throw Problem(line: name, problem: "buckets out of order")
            }
            let counts = family.samples.filter { $0.name == name + "_count" && $0.labels == labels }
            let sums = family.samples.filter { $0.name == name + "_sum" && $0.labels == labels }
            guard bounds.last == .infinity, counts.map(\.value) == [values[values.count - 1]], sums.count == 1 else {
                throw Problem(line: name, problem: "a histogram without its count or sum")
            }
        }
    }
}
