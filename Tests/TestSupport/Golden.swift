import Foundation

/// Files of the project that are made by it, and looked at in each change: `REWRITE_GOLDENS=1` writes what comes out.
package enum Golden {
    /// The file as it stands, after it was rewritten where that is asked for.
    package static func text(at path: String, made text: String) throws -> String {
        if ProcessInfo.processInfo.environment["REWRITE_GOLDENS"] != nil {
            try text.write(toFile: path, atomically: true, encoding: .utf8)
        }
        return try String(contentsOfFile: path, encoding: .utf8)
    }

    /// A page of `docs/`.
    package static func page(_ name: String, made text: String) throws -> String {
        try Self.text(at: "\(Fixtures.project)/docs/\(name)", made: text)
    }
}
