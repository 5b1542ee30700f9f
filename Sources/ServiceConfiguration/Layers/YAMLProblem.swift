import Yams

/// The errors of Yams for an invalid text, as one line with the remedy.
enum YAMLProblem {
    static let tooDeep = "this has too many levels: no key needs more than a few"

    static func refusals(for error: any Error, in text: String, source: (Int) -> ValueSource) -> ValueErrors {
        guard let error = error as? YamlError else { return ValueErrors(source(1), "it is not YAML: \(error)") }
        switch error {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            if problem.hasPrefix("Maximum nesting level") { return ValueErrors(source(mark.line), tooDeep) }
            if hasTabIndentation(mark.line, in: text) {
                return ValueErrors(source(mark.line), "the line is indented with a tab: use spaces")
            }
            // An example is a key path without quotes: [items[].url].
            let isInBrackets = problem.hasPrefix("did not find expected ','")
            let remedy = isInBrackets ? ": put texts with , [ ] { or } in quotes, or close the bracket" : ""
            return ValueErrors(source(mark.line), "it is not YAML: \(problem)\(remedy)")
        case .duplicatedKeysInMapping(let names, let context):
            // The position of the context is that of the first key.
            let names = names.sorted().map(QuotedText.quote).joined(separator: " and ")
            return ValueErrors(source(context.mark.line), "\(names) is here and again below: keep one of them")
        // libyaml also reports this error if a text is nested too deep.
        case .memory: return ValueErrors(source(1), tooDeep)
        case .reader(let problem, _, _, _): return ValueErrors(source(1), "it is not YAML: \(problem)")
        default: return ValueErrors(source(1), "it is not YAML")
        }
    }

    private static func hasTabIndentation(_ line: Int, in text: String) -> Bool {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.indices.contains(line - 1) else { return false }
        return lines[line - 1].prefix { $0 == " " || $0 == "\t" }.contains("\t")
    }
}
