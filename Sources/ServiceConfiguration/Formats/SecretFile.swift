/// A file that contains only a secret, which is read when the configuration is loaded.
package struct SecretFile: Sendable, Equatable {
    private static let limit = 1 << 16

    /// The path as the operator wrote it.
    package let path: String
    /// The text of the file without its last newline.
    package let secret: SecretText

    /// Reads the secret of a file.
    ///
    /// - Throws: A message if the file cannot be read or is empty, or if all users may read or write it.
    static func read(_ path: ConfigNode) throws(ValueErrors) -> SecretFile {
        let given = try path.text("the path of a file")
        let name = QuotedText.path(given)
        let file = try BoundedFile.read(path, limit: limit)
        guard file.mode & 0o006 == 0 else {
            throw path.refusal("\(name) has a secret, and all users can read or write it: chmod o-rw \(name)")
        }
        var bytes = file.bytes[...]
        if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
        if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw path.refusal("\(name) is not text in UTF-8")
        }
        guard !text.isEmpty else { throw path.refusal("\(name) is empty") }
        return SecretFile(path: given, secret: SecretText(text))
    }
}

/// A text that no log, listing or message repeats.
package struct SecretText: Sendable, Equatable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    package static let shown = "(secret)"

    package let value: String

    package init(_ value: String) { self.value = value }

    package var description: String { Self.shown }
    package var debugDescription: String { Self.shown }
    /// Without this mirror, `dump` would show the value.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
