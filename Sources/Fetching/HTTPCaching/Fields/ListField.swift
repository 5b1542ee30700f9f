import Base
import HTTPTypes

/// The parser of fields whose value is a list (RFC 9110 §5.6.1).
enum ListField {
    /// Returns the elements of all lines in their order, without the white space around them and without empty
    /// elements. A comma in a quoted string does not separate elements. An unterminated quoted string ends with its
    /// line.
    ///
    /// - Parameter hasEscapes: whether a backslash in a quoted string escapes the next character (RFC 9110 §5.6.4).
    ///   Entity tags look like quoted strings, but have no escapes (RFC 9110 §8.8.3).
    static func elements(_ lines: [String], hasEscapes: Bool = true) -> [String] {
        lines.flatMap { elements($0[...], hasEscapes: hasEscapes) }
    }

    /// Returns the text of a quoted string; `nil` if the argument is not a quoted string.
    static func unquoted(_ text: Substring) -> String? {
        guard text.utf8.count >= 2, text.utf8.first == UInt8(ascii: "\"") else { return nil }
        var result = String.UnicodeScalarView()
        var isEscaped = false
        var rest = text.unicodeScalars.dropFirst()
        while let scalar = rest.popFirst() {
            switch scalar {
            case _ where isEscaped:
                isEscaped = false
                result.append(scalar)
            case "\\": isEscaped = true
            case "\"": return rest.isEmpty ? String(result) : nil
            default: result.append(scalar)
            }
        }
        return nil
    }

    private static func elements(_ line: Substring, hasEscapes: Bool) -> [String] {
        var isQuoted = false
        var isEscaped = false
        return line.utf8.split { byte in
            if isEscaped {
                isEscaped = false
            } else if isQuoted, hasEscapes, byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isQuoted.toggle()
            }
            return byte == UInt8(ascii: ",") && !isQuoted
        }.map { String(Substring($0).trimmingBlanks) }.filter { !$0.isEmpty }
    }
}

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

    init(_ fields: HTTPFields) { self.init(fields[values: .cacheControl]) }

    init(_ head: ResponseHead) { self.init(head.values(of: .cacheControl)) }

    private init(_ lines: [String]) { directives = ListField.elements(lines).map(Self.directive) }

    func contains(_ name: String) -> Bool { directives.contains { $0.name == name } }

    /// Returns whether the directive is present without an argument, or with an empty argument.
    func isPlain(_ name: String) -> Bool { directives.contains { $0.name == name && ($0.argument ?? "").isEmpty } }

    /// Returns the argument of the first such directive, in seconds (RFC 9111 §4.2.1); `nil` if the directive is
    /// absent. A malformed number is read as 0, because RFC 9111 §4.2.1 recommends to treat such a response as stale.
    /// For the other directives, 0 is the safe value too.
    func seconds(_ name: String) -> Double? {
        directives.first { $0.name == name }.map { Double(DeltaSeconds.read($0.argument ?? "") ?? 0) }
    }

    /// Returns the field names in an argument such as `no-cache="set-cookie"` (RFC 9111 §5.2.2.4), in lower case.
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
