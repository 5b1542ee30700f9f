package import GRDB

/// The version of a store: the number of its last migration.
package enum StoreVersion {
    /// Returns the version of a database; 0 for a database without tables.
    package static func last(of database: Database) throws -> Int {
        guard try database.tableExists("grdb_migrations") else { return 0 }
        return try String.fetchAll(database, sql: "SELECT identifier FROM grdb_migrations").compactMap { Int($0) }.max()
            ?? 0
    }
}
