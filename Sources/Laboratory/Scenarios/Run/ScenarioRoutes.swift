import Base
import Lab
import NotificationModel

/// The routes of a scenario's origin: the listed paths with their faults and files, and a record of all requests.
final class ScenarioRoutes: OriginRouting {
    /// The directory of the served files in the paths of redirects.
    static let files = "lab"
    /// The maximum number of different requests that are recorded. Further ones are answered, but not reported.
    private static let maxRecorded = 1_000

    private let rules: [(rule: OriginRule, files: [String?])]
    /// The number of requests for each rule.
    private let counts: Guarded<[Int]>
    private let record = Guarded<[String: (count: Int, isListed: Bool)]>([:])

    /// - Parameter rules: The rules, each with the names of the files of its answers in the served directory; `nil` for
    ///   the sample of the requested path.
    init(_ rules: [(rule: OriginRule, files: [String?])]) {
        self.rules = rules
        counts = Guarded(Array(repeating: 0, count: rules.count))
    }

    /// Returns the name of the sample with an extension in the served directory.
    static func sample(_ suffix: String) -> String { "\(files)/sample.\(suffix)" }

    func route(host: String, path: String) -> OriginRequestPath? {
        let found = rules.indices.filter { rules[$0].rule.matches(host: host, path: path) }
            .max { rules[$0].rule.rank < rules[$1].rule.rank }
        let listed = found.map { index in
            let (rule, files) = rules[index]
            let number = counts.withLock { counts in
                defer { counts[index] += 1 }
                return min(counts[index], rule.answers.count - 1)
            }
            let file = files[number] ?? Self.sample(SampleMedia.sample(for: path).extension)
            return OriginRequestPath(rule.answers[number].faults.map { Self.leading($0, to: file) }, filePath: file)
        }
        let route = listed ?? Self.redirected(path)
        record.withLock { record in
            let key = host + path
            guard record[key] != nil || record.count < Self.maxRecorded else { return }
            record[key, default: (0, route != nil)].count += 1
        }
        return route
    }

    /// Returns a redirect of some hops, whose last one leads to a file of the served directory. Other faults, and a loop,
    /// are unchanged.
    private static func leading(_ fault: Fault, to file: String) -> Fault {
        guard case .redirect(let location) = fault, location.hasPrefix("/"),
            let target = try? OriginRequestPath(parsing: location), target.filePath.isEmpty, target.faults.last != fault
        else { return fault }
        return .redirect(to: location + (location.hasSuffix("/") ? "" : "/") + file)
    }

    /// Returns the route of a path to which a redirect of this origin leads.
    private static func redirected(_ path: String) -> OriginRequestPath? {
        guard let target = try? OriginRequestPath(parsing: path) else { return nil }
        if case .redirect? = target.faults.last { return target }
        return target.filePath.hasPrefix("\(files)/") ? target : nil
    }

    /// Returns the number of requests for a path, or for a host and a path.
    func hits(_ key: String) -> Int? {
        guard let (host, path) = OriginReader.place(key) else { return nil }
        let probe = OriginRule(
            key: Placed(value: key, mark: TextMark(line: 1, column: 1)), host: host, path: path, answers: [])
        return record.withLock { record in
            record.reduce(0) { sum, entry in
                let slash = entry.key.firstIndex(of: "/") ?? entry.key.endIndex
                let isMeant = probe.matches(host: String(entry.key[..<slash]), path: String(entry.key[slash...]))
                return isMeant ? sum + entry.value.count : sum
            }
        }
    }

    /// The hosts and paths of all requests.
    var requests: [String] { record.withLock { Array($0.keys) } }

    /// The requests that no rule lists, each with the nearest rule.
    var unlisted: [UnlistedRequest] {
        let requests = record.withLock { $0.filter { !$0.value.isListed }.keys.sorted() }
        return requests.map { request in
            let nearest = rules.min { left, right in
                left.rule.distance(to: request) < right.rule.distance(to: request)
            }
            return UnlistedRequest(request: request, nearest: nearest?.rule.key)
        }
    }
}

/// A request for a path that the scenario does not list.
package struct UnlistedRequest: Sendable {
    /// The host and the path.
    package var request: String
    /// The most similar key of the origin; `nil` if the origin lists no path.
    package var nearest: Placed<String>?
}

extension OriginRule {
    fileprivate func matches(host: String, path: String) -> Bool {
        guard self.host == nil || self.host == host else { return false }
        return self.path.hasSuffix("*") ? path.hasPrefix(self.path.dropLast()) : path == self.path
    }

    /// The precedence of the rule: a rule with a host precedes one without, and a longer path a shorter one.
    fileprivate var rank: Int {
        (host == nil ? 0 : 1 << 20) + (path.hasSuffix("*") ? 0 : 1 << 21) + min(path.utf8.count, 1 << 19)
    }

    fileprivate func distance(to request: String) -> Int {
        let own = host == nil ? String(request[(request.firstIndex(of: "/") ?? request.startIndex)...]) : request
        return NearestWord.distance((host ?? "") + path, String(own.prefix(256)))
    }
}
