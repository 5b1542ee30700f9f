import Base
import GRDB
import SQLiteFiles

/// The accessors for columns of the index.
extension Row {
    /// Returns the path of a file within the group's directory. The digest decides all of the path except the
    /// extension, so that a row cannot name a file outside the container.
    func mediaPath() throws -> String {
        let digest: String = try sound("sha256")
        let path: String = try sound("path")
        guard path.hasPrefix("media/\(digest.prefix(2))/\(digest)."), !digest.contains("/"), !path.contains("/..")
        else { throw Row.damage(in: "path") }
        return path
    }

    /// Returns a value that is stored as JSON; `nil` if the column has NULL or a text that is not JSON.
    func json(_ column: String) -> JSONValue? {
        let text: String? = value(of: column)
        return text.flatMap { try? JSONParser.value(of: Array($0.utf8)) }
    }
}

extension JSONValue {
    /// The value as JSON text, in the form of the index's columns.
    var text: String { JSONWriter.text(of: self) }
}
