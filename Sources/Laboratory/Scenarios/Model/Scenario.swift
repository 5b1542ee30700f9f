package import Base
package import FoundationEssentials
package import Lab
package import ServiceConfiguration

/// One scenario: the payloads, the origin and the network that they meet, and the expected results.
package struct Scenario: Sendable {
    /// A payload that is processed, after the payloads before it.
    package struct Step: Sendable {
        /// The envelope with the payload.
        package var envelope: JSONObject
        /// The place of the step, for problems of its envelope.
        package var mark: TextMark
        /// The time between the end of the previous step and this one.
        package var pause: Duration
        package var expectation: Expectation?
    }

    /// The path of the file, as the user wrote it.
    package var file: String
    package var name: String
    /// The complaint or the page from which the scenario was made; `nil` if the file names none.
    package var source: String?
    package var steps: [Step] = []
    package var origin: [OriginRule] = []
    package var hosts: [HostRule] = []
    package var link: LinkShape?
    /// The phone that receives the pushes; `nil` if none is simulated.
    package var phone: PhoneModel?
    /// The date at which the scenario begins; `nil` for the date of the machine.
    package var now: Date?
    /// The configuration of the pipeline; `nil` for the defaults.
    package var configuration: Configuration?
    /// Whether time passes at its real speed.
    package var isReal = false
    /// The seed of all random choices; `nil` for one that the run chooses.
    package var seed: UInt64?
    /// The expectation for the whole scenario: the requests at the origin, and the memory.
    package var expectation = Expectation(mark: TextMark(line: 1, column: 1))
    /// The lines of the file, for the lines with carets.
    package var lines: [String] = []
}

/// The answer of the origin to one request.
package struct OriginAnswer: Sendable {
    package var faults: [Fault] = []
    /// The file that is served; `nil` for a sample.
    package var file: String?
}

/// The answers of the origin to the requests for one path.
package struct OriginRule: Sendable {
    /// The rule as the file has it: a path, or a host with a path.
    package var key: Placed<String>
    /// The host of the rule; `nil` for all hosts.
    package var host: String?
    package var path: String
    /// The answers to the first, the second and each further request. The last one is repeated.
    package var answers: [OriginAnswer]
}

/// The faults of one host before it answers any request.
package struct HostRule: Sendable {
    /// The answer of the name servers.
    package enum Name: Sendable, Equatable {
        /// The name does not exist (NXDOMAIN).
        case missing
        /// The name servers fail (SERVFAIL).
        case fails
        /// The name servers do not answer.
        case timeout
        /// The host has only an IPv6 address.
        case ipv6Only
        /// The host has a private address.
        case privateAddress
    }

    package var host: String
    package var name: Name?
    /// The time until the name servers answer.
    package var nameDelay: Duration
    package var connection: DeadPort.Kind?
    package var certificate: CertificateFault?
}
