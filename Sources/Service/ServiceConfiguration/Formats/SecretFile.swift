/// A file that contains only a secret, which is read when the configuration is loaded.
package struct SecretFile: Sendable, Equatable {
    private static let limit = 1 << 16

    /// The path as the operator wrote it.
    package let path: String
    /// The text of the file without its last newline.
    package let secret: SecretText

    /// The reason for which a file has no usable secret.
    package struct Refusal: Error, Equatable {
        package let message: String
    }

    /// Reads the secret of the file that a value names.
    static func read(_ value: ConfigNode) throws(ValueErrors) -> SecretFile {
        let path = try value.text("the path of a file")
        do throws(Refusal) { return try read(at: path) } catch { throw value.refusal(error.message) }
    }

    /// Reads the secret of a file.
    ///
    /// - Throws: A message if the file cannot be read or is empty, or if all users may read or write it.
    package static func read(at given: String) throws(Refusal) -> SecretFile {
        let name = QuotedText.path(given)
        let file: BoundedFile
        do throws(BoundedFile.Refusal) { file = try BoundedFile.read(given, limit: limit) } catch {
            throw Refusal(message: error.message(about: given))
        }
        guard file.mode & 0o006 == 0 else {
            throw Refusal(message: "\(name) has a secret, and all users can read or write it: chmod o-rw \(name)")
        }
        var bytes = file.bytes[...]
        if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
        if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Refusal(message: "\(name) is not text in UTF-8")
        }
        guard !text.isEmpty else { throw Refusal(message: "\(name) is empty") }
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
