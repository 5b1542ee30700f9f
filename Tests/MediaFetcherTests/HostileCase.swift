import Foundation
import TestSupport
import Testing

/// One case of `fixtures/hostile_urls.json`: what somebody might try, and what has to come of it.
struct HostileCase: Decodable, Sendable, CustomTestStringConvertible {
    enum Kind: String, Decodable { case literal, syntax, scheme, resolve, redirect, environment }
    enum Verdict: String, Decodable {
        case block, allow, fail
        /// The last URL of the chain is the one to stop.
        case blockSecond = "block-second"
        /// What is encoded must stay so.
        case allowIfEncoded = "allow-if-encoded"
        /// Not all addresses are tried.
        case allowCapped = "allow-capped"
    }

    var id: String
    var kind: Kind
    var verdict: Verdict
    var why: String
    var url: String?
    /// The address that the URL's host stands for.
    var denotes: String?
    /// What the name servers say.
    var resolved: [String]?
    /// URLs, each of which redirects to the next; "loop" is the first one again.
    var chain: [String]?
    /// What is arranged, in words.
    var setup: String?

    var testDescription: String { "\(id) \(verdict.rawValue): \(why)" }

    static let all: [HostileCase] = {
        struct File: Decodable { var cases: [HostileCase] }
        do {
            return try JSONDecoder().decode(File.self, from: Data(Fixtures.bytes("hostile_urls.json"))).cases
        } catch { preconditionFailure("fixtures/hostile_urls.json cannot be read: \(error)") }
    }()

    static func all(_ kinds: Kind...) -> [HostileCase] { all.filter { kinds.contains($0.kind) } }
}
