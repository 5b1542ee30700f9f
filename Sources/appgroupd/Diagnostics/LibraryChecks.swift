import MediaFetcher
import SQLiteFiles

/// The checks of the libraries that this program has loaded.
enum LibraryChecks {
    private static let missing = Answer.failed(
        "libcurl does not report its version", remedy: "Install libcurl 7.84 or later (Debian: libcurl4).")

    static func curl() -> Answer {
        guard let curl = CurlLibrary.description else { return missing }
        let found = "\(curl.version), built against \(curl.builtAgainst); \(curl.protocols.joined(separator: " "))"
        let lacking = ["http", "https"].filter { !curl.protocols.contains($0) }.joined(separator: " and ")
        guard lacking.isEmpty else {
            return .failed("\(found); without \(lacking)", remedy: "Install a libcurl that speaks https.")
        }
        return .ok(found + (curl.hasHTTP2 ? "; HTTP/2" : ""))
    }

    static func tls() -> Answer {
        guard let curl = CurlLibrary.description else { return missing }
        guard let tls = curl.tls else {
            return .failed("libcurl has no TLS", remedy: "Install a libcurl with TLS (Debian: libcurl4).")
        }
        return .ok(tls)
    }

    /// Reports the version of c-ares. libcurl receives addresses, and never resolves a name itself.
    static func resolver() -> Answer { .ok("names are resolved by c-ares \(CaresLibrary.version)") }

    static func sqlite() -> Answer {
        let oldest = SQLiteLibrary.oldestUsable.map(String.init).joined(separator: ".")
        guard let version = try? SQLiteLibrary.version() else {
            return .failed("SQLite cannot open a database in memory", remedy: "Install SQLite \(oldest) or later.")
        }
        guard SQLiteLibrary.isUsable(version) else {
            return .failed(version, remedy: "Install SQLite \(oldest) or later; the index needs it.")
        }
        return .ok(version)
    }
}
