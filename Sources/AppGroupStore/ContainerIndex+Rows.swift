import GRDB
import JSON

/// Columns of the index. A value that the program cannot have written is damage like other damage: trusted, it would end
/// the process, or name a file that is not the container's.
extension Row {
    /// A size in bytes: at most a tebibyte.
    func byteCount(_ column: String) throws -> Int {
        let count: Int = try sound(column)
        guard (0...(1 << 40)).contains(count) else { throw Row.damage(in: column) }
        return count
    }

    /// A file's path in the group's folder, which its digest decides but for the extension.
    func mediaPath() throws -> String {
        let digest: String = try sound("sha256")
        let path: String = try sound("path")
        guard path.hasPrefix("media/\(digest.prefix(2))/\(digest)."), !digest.contains("/"), !path.contains("/..")
        else {
            throw Row.damage(in: "path")
        }
        return path
    }

    /// A value that is written as JSON; `nil` for NULL and for a text that is no JSON.
    func json(_ column: String) -> JSONValue? {
        let text: String? = value(of: column)
        return text.flatMap { try? JSONParser.value(of: Array($0.utf8)) }
    }

    static func damage(in column: String) -> DatabaseError {
        DatabaseError(resultCode: .SQLITE_CORRUPT, message: "the value of \(column) is not valid")
    }
}

extension JSONValue {
    /// As a column of the index has it.
    var text: String { JSONWriter.text(of: self) }
}
