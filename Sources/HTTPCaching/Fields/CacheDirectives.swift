import HTTPTypes

/// The directives of `Cache-Control`, in a request or a response (RFC 9111 §5.2).
///
/// Names are compared without case; an argument may be a token or a quoted string, whatever the directive asks for.
/// Unknown directives are passed over.
struct CacheDirectives: Sendable, Equatable {
    private struct Directive: Sendable, Equatable {
        /// In lower case.
        var name: String
        /// Unquoted. Empty where there is white space around `=`: the grammar has none there, so that the argument is
        /// not to be believed.
        var argument: String?
    }

    private let directives: [Directive]

    init(_ fields: HTTPFields) {
        directives = ListField.elements(fields[values: .cacheControl]).map(Self.directive)
    }

    func contains(_ name: String) -> Bool { directives.contains { $0.name == name } }

    /// Whether the directive is there without an argument, or with an empty one.
    func isPlain(_ name: String) -> Bool {
        directives.contains { $0.name == name && ($0.argument ?? "").isEmpty }
    }

    /// The argument in seconds; `nil` where the directive is not there. Of several the first counts (RFC 9111 §4.2.1).
    /// What is no number counts as 0: §4.2.1 would have such a response taken for stale, and 0 is on the safe side for
    /// the others as well.
    func seconds(_ name: String) -> Double? {
        directives.first { $0.name == name }.map { Double(DeltaSeconds.read($0.argument ?? "") ?? 0) }
    }

    /// The names of fields that the directive is for, in lower case: `no-cache="set-cookie"` (§5.2.2.4).
    func fieldNames(_ name: String) -> Set<String> {
        Set(
            directives.filter { $0.name == name }
                .flatMap { ListField.elements([$0.argument ?? ""]) }
                .map { $0.lowercased() })
    }

    private static func directive(_ text: String) -> Directive {
        guard let equals = text.firstIndex(of: "=") else { return Directive(name: text.lowercased(), argument: nil) }
        let name = text[..<equals]
        let argument = text[text.index(after: equals)...]
        let token = ListField.trimmed(name)
        guard token == name, ListField.trimmed(argument) == argument else {
            return Directive(name: token.lowercased(), argument: "")
        }
        return Directive(name: name.lowercased(), argument: ListField.unquoted(argument) ?? String(argument))
    }
}
