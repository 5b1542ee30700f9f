import Foundation

/// The generated files of the project, which reviewers see in each change. `REWRITE_GOLDENS=1` writes the generated
/// text.
package enum Golden {
    /// Returns the text of the file. If `REWRITE_GOLDENS` is set, the file is rewritten first.
    package static func text(at path: String, made text: String) throws -> String {
        if ProcessInfo.processInfo.environment["REWRITE_GOLDENS"] != nil {
            try text.write(toFile: path, atomically: true, encoding: .utf8)
        }
        return try String(contentsOfFile: path, encoding: .utf8)
    }

    /// Returns a page of `docs/`.
    package static func page(_ name: String, made text: String) throws -> String {
        try Self.text(at: "\(Fixtures.project)/docs/\(name)", made: text)
    }
}
