import Foundation
import TestSupport
import Testing

/// A case of `fixtures/hostile_urls.json`: an attack, and the expected verdict.
struct HostileCase: Decodable, Sendable, CustomTestStringConvertible {
    enum Kind: String, Decodable { case literal, syntax, scheme, resolve, redirect, environment }
    enum Verdict: String, Decodable {
        case block, allow, fail
        /// The last URL of the chain must be refused.
        case blockSecond = "block-second"
        /// The URL is allowed, and its percent-encoding must be kept.
        case allowIfEncoded = "allow-if-encoded"
        /// The host is allowed, and only some of its addresses are tried.
        case allowCapped = "allow-capped"
    }

    var id: String
    var kind: Kind
    var verdict: Verdict
    var why: String
    var url: String?
    /// The address that the host of the URL means; `nil` if the host is a name.
    var denotes: String?
    /// The addresses with which the name servers answer; `nil` if nothing is resolved.
    var resolved: [String]?
    /// The URLs, each of which redirects to the next; "loop" stands for the first URL.
    var chain: [String]?
    /// A description of the setup that the case needs.
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
