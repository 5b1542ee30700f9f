/// Names the known word that was probably meant.
enum NearestWord {
    /// A sentence about a command that does not exist, `nil` where the word is none or a known one.
    static func hint(for word: String?, among known: [String]) -> String? {
        guard let word, !word.hasPrefix("-"), !known.contains(word) else { return nil }
        let nearest = known.min { distance($0, word) < distance($1, word) }
        guard let nearest, distance(nearest, word) <= max(1, word.count / 3) else {
            return "'\(word)' is no command; the commands are: \(known.joined(separator: ", "))"
        }
        return "'\(word)' is no command; did you mean '\(nearest)'?"
    }

    /// Levenshtein's distance: how many letters to insert, delete or replace.
    static func distance(_ left: String, _ right: String) -> Int {
        let right = Array(right)
        var row = Array(0...right.count)
        for (index, letter) in left.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for column in right.indices {
                let replaced = diagonal + (right[column] == letter ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(replaced, row[column] + 1, row[column + 1] + 1)
            }
        }
        return row[right.count]
    }
}
