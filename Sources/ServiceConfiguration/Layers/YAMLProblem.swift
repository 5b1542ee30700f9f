import Yams

/// The errors of Yams for an invalid text, as one line with the remedy.
package enum YAMLProblem {
    package static let tooDeep = "this has too many levels: no key needs more than a few"

    static func refusals(for error: any Error, in text: String, source: (Int) -> ValueSource) -> ValueErrors {
        let problem = describe(error, in: text)
        return ValueErrors(source(problem.line), problem.text)
    }

    /// Returns the place of an error, with its line and column from 1, and a sentence with the remedy.
    package static func describe(_ error: any Error, in text: String) -> (line: Int, column: Int, text: String) {
        guard let error = error as? YamlError else { return (1, 1, "it is not YAML: \(error)") }
        switch error {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            return (mark.line, mark.column, sentence(about: problem, in: mark.line, of: text))
        case .duplicatedKeysInMapping(let names, let context):
            // The position of the context is that of the first key.
            let names = names.sorted().map(QuotedText.quote).joined(separator: " and ")
            return (context.mark.line, context.mark.column, "\(names) is here and again below: keep one of them")
        // libyaml also reports this error if a text is nested too deep.
        case .memory: return (1, 1, tooDeep)
        case .reader(let problem, _, _, _): return (1, 1, "it is not YAML: \(problem)")
        default: return (1, 1, "it is not YAML")
        }
    }

    private static func sentence(about problem: String, in line: Int, of text: String) -> String {
        if problem.hasPrefix("Maximum nesting level") { return tooDeep }
        if hasTabIndentation(line, in: text) { return "the line is indented with a tab: use spaces" }
        // An example is a key path without quotes: [items[].url].
        let isInBrackets = problem.hasPrefix("did not find expected ','")
        let remedy = isInBrackets ? ": put texts with , [ ] { or } in quotes, or close the bracket" : ""
        return "it is not YAML: \(problem)\(remedy)"
    }

    private static func hasTabIndentation(_ line: Int, in text: String) -> Bool {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.indices.contains(line - 1) else { return false }
        return lines[line - 1].prefix { $0 == " " || $0 == "\t" }.contains("\t")
    }
}
