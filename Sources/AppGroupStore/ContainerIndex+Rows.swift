import GRDB
import JSON

/// The accessors for columns of the index. A value that the program cannot have written is treated as damage. Otherwise
/// it could crash the process, or name a file outside the container.
extension Row {
    /// Returns a size in bytes, at most a tebibyte.
    func byteCount(_ column: String) throws -> Int {
        let count: Int = try sound(column)
        guard (0...(1 << 40)).contains(count) else { throw Row.damage(in: column) }
        return count
    }

    /// Returns the path of a file within the group's directory. The digest decides all of the path except the
    /// extension.
    func mediaPath() throws -> String {
        let digest: String = try sound("sha256")
        let path: String = try sound("path")
        guard path.hasPrefix("media/\(digest.prefix(2))/\(digest)."), !digest.contains("/"), !path.contains("/..")
        else {
            throw Row.damage(in: "path")
        }
        return path
    }

    /// Returns a value that is stored as JSON; `nil` if the column has NULL or a text that is not JSON.
    func json(_ column: String) -> JSONValue? {
        let text: String? = value(of: column)
        return text.flatMap { try? JSONParser.value(of: Array($0.utf8)) }
    }

    static func damage(in column: String) -> DatabaseError {
        DatabaseError(resultCode: .SQLITE_CORRUPT, message: "the value of \(column) is not valid")
    }
}

extension JSONValue {
    /// The value as JSON text, in the form of the index's columns.
    var text: String { JSONWriter.text(of: self) }
}
