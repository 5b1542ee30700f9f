package import GRDB

/// The accessors for columns. A value that the program cannot have written is treated as damage, because a broken disk
/// or another program wrote it. GRDB's own subscript would crash the process.
extension Row {
    /// Returns the value of a column; `nil` if the column has NULL or a value of another type.
    package func value<Value: DatabaseValueConvertible>(of column: String) -> Value? {
        Value.fromDatabaseValue(self[column])
    }

    /// Returns a value of the expected type.
    ///
    /// - Throws: An error for which `DatabaseDamage.isDamage` is true, if the column has NULL or another type.
    package func sound<Value: DatabaseValueConvertible>(_ column: String) throws -> Value {
        if let value: Value = value(of: column) { return value }
        throw Row.damage(in: column)
    }

    /// Returns a size in bytes, at most a tebibyte.
    package func byteCount(_ column: String) throws -> Int {
        let count: Int = try sound(column)
        guard (0...(1 << 40)).contains(count) else { throw Row.damage(in: column) }
        return count
    }

    package static func damage(in column: String) -> DatabaseError {
        DatabaseError(resultCode: .SQLITE_CORRUPT, message: "the value of \(column) is not valid")
    }
}
