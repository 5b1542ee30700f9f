import GRDB
package import NotificationModel
import SQLiteFiles

extension ContainerIndex {
    /// Returns all renditions that were made from a response, ordered by recipe. Renditions with missing rows are
    /// skipped.
    package func renditions(of identity: String) throws -> [(recipe: RenditionRecipe, media: StoredRenditions)] {
        try database.read { database in
            let statement = try database.cachedStatement(
                sql: """
                    SELECT recipe, asset.*, kind, sourceType, sourceBytes, count, damage, source
                    FROM rendition JOIN asset USING (sha256) WHERE identity = ? ORDER BY recipe, position
                    """)
            let rows = try Row.fetchAll(statement, arguments: [identity])
            let recipes = try Dictionary(grouping: rows) { try $0.sound("recipe") as String }
            return try recipes.sorted { $0.key < $1.key }.compactMap { recipe, rows in
                try StoredRenditions(rows).map { (RenditionRecipe(key: recipe), $0) }
            }
        }
    }

    /// Returns the keys of all pins, ordered by URL and recipe, so that two exports have the same order.
    package func sortedPinKeys() throws -> [PinKey] {
        (try pinnedKeys(atMost: .max - 1) ?? []).map { PinKey(url: $0.url, recipe: RenditionRecipe(key: $0.recipe)) }
            .sorted { ($0.url, $0.recipe.key) < ($1.url, $1.recipe.key) }
    }
}
