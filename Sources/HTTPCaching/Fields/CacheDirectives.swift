import HTTPTypes
import Primitives

/// The directives of `Cache-Control`, in a request or a response (RFC 9111 §5.2).
///
/// Names are compared without regard to case. An argument may be a token or a quoted string, independent of the
/// directive. Unknown directives are ignored.
struct CacheDirectives: Sendable, Equatable {
    private struct Directive: Sendable, Equatable {
        /// The name of the directive, in lower case.
        var name: String
        /// The argument without quotes; `nil` if it is absent. The argument is empty if white space surrounds the `=`,
        /// because the grammar forbids that and the argument cannot be trusted.
        var argument: String?
    }

    private let directives: [Directive]

    init(_ fields: HTTPFields) {
        directives = ListField.elements(fields[values: .cacheControl]).map(Self.directive)
    }

    func contains(_ name: String) -> Bool { directives.contains { $0.name == name } }

    /// Returns whether the directive is present without an argument, or with an empty argument.
    func isPlain(_ name: String) -> Bool {
        directives.contains { $0.name == name && ($0.argument ?? "").isEmpty }
    }

    /// Returns the argument of the first such directive, in seconds (RFC 9111 §4.2.1); `nil` if the directive is
    /// absent. A malformed number is read as 0, because RFC 9111 §4.2.1 recommends to treat such a response as stale.
    /// For the other directives, 0 is the safe value too.
    func seconds(_ name: String) -> Double? {
        directives.first { $0.name == name }.map { Double(DeltaSeconds.read($0.argument ?? "") ?? 0) }
    }

    /// Returns the field names in the argument of a directive, in lower case. An example is `no-cache="set-cookie"`
    /// (RFC 9111 §5.2.2.4).
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
        let token = name.trimmingBlanks
        guard token == name, argument.trimmingBlanks == argument else {
            return Directive(name: token.lowercased(), argument: "")
        }
        return Directive(name: name.lowercased(), argument: ListField.unquoted(argument) ?? String(argument))
    }
}
