import Base
import Lab
import OriginFaults
import Scenarios
import TestSupport
import Testing

/// Tests that a scenario can request all faults that the path of a URL can request.
struct ScenarioFaultTests {
    /// The folder of the scenarios of these tests, in which the file of `changed` is.
    private static let folder = Fixtures.project + "/fixtures/media/"

    /// The paths of the reference, each with an example in place of its words in capitals, and the further forms that the
    /// reference describes.
    static let paths =
        FaultReference.entries.map {
            $0.path.replacing("/…", with: "").replacing("NAME:VALUE", with: "Cache-Control:no-store")
                .replacing("URL", with: "https:%2F%2Fcdn.example%2Fa.jpg").replacing("FILE", with: "photo-small.jpg")
        } + [
            "/redirect/loop", "/bomb/br", "/bomb/zstd", "/bomb/png", "/encoding/br", "/encoding/zstd", "/truncate/9",
            "/reset/9", "/header/+Set-Cookie:a=b", "/header/-ETag",
        ]

    private static let names = Set(paths.map { String($0.dropFirst().prefix { $0 != "/" }) })

    /// Returns the faults of a path, each with its arguments.
    private static func parts(of path: String) -> [[String]] {
        var parts: [[String]] = []
        for segment in path.split(separator: "/").map(String.init) {
            let isWhole = parts.last.map {
                ((try? OriginRequestPath(parsing: "/" + $0.joined(separator: "/")))?.faults.isEmpty ?? true) == false
            }
            if names.contains(segment), isWhole ?? true {
                parts.append([segment])
            } else {
                parts[parts.count - 1].append(segment)
            }
        }
        return parts
    }

    /// Returns a mapping that stands for a path: `{stall: {after: "1000"}}` for `/stall/after/1000`.
    private static func mapping(_ path: String) throws -> String {
        let faults = try parts(of: path).map { part in
            let words = try part.map { JSONWriter.text(of: .string(try PercentEncoding.decode($0))) }
            guard words.count > 1 else { return "\(words[0]): true" }
            let braces = words.count - 2
            return words.dropLast().joined(separator: ": {") + ": " + (words.last ?? "")
                + String(repeating: "}", count: braces)
        }
        return "{\(faults.joined(separator: ", "))}"
    }

    private static func faults(_ value: String) throws -> [Fault] {
        let text = "payload: {aps: {alert: Hi}}\norigin: {/a.jpg: \(value)}\nexpect: {outcome: rich}"
        let scenario = try ScenarioReader.scenario(text, file: folder + "x.yaml", variables: [:])
        return try #require(scenario.origin.first?.answers.first).faults
    }

    /// Returns the faults of a path as a scenario has them, with the whole path of a file.
    private static func expected(_ path: String) throws -> [Fault] {
        try OriginRequestPath(parsing: path).faults.map { fault in
            guard case .changed(let change) = fault, let file = change.replacement else { return fault }
            return .changed(FileChange(after: change.requests, to: folder + file))
        }
    }

    @Test(arguments: paths) func `a scenario requests a fault with a mapping in place of each slash`(_ path: String)
        throws
    {
        let faults = try Self.faults(try Self.mapping(path))
        #expect(!faults.isEmpty)
        #expect(try faults == Self.expected(path))
    }

    @Test(arguments: paths) func `a scenario requests a fault with its path`(_ path: String) throws {
        #expect(try Self.faults("\"\(path)\"") == Self.expected(path))
    }

    /// The compiler reports a fault that this test does not know.
    @Test func `the reference has each fault of the origin`() throws {
        func name(_ fault: Fault) -> Int {
            switch fault {
            case .delay: 0
            case .randomDelay: 1
            case .chance: 2
            case .dribble: 3
            case .slices: 4
            case .needs: 5
            case .drip: 6
            case .rate: 7
            case .slowHead: 8
            case .stallHeaders: 9
            case .cut(let cut):
                switch cut.options {
                case .stall: 10
                case .close: 11
                case .reset: 12
                }
            case .status: 13
            case .retryAfter: 14
            case .redirect: 15
            case .lyingType: 16
            case .lyingLength: 17
            case .page: 18
            case .endless: 19
            case .flaky: 20
            case .bomb: 21
            case .field: 22
            case .largeHead: 23
            case .endlessHead: 24
            case .range(let support): support == .wrong ? 25 : 26
            case .changed(let change): change.replacement == nil ? 27 : 28
            case .encoding: 29
            }
        }
        let faults = try Self.paths.flatMap { try OriginRequestPath(parsing: $0).faults }
        #expect(Set(faults.map(name)) == Set(0..<30))
    }
}
