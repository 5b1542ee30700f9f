/// The rules by which a push gateway of Matrix finds the app group, the profile and the environment of an app.
///
/// An app ID is the `app_id` that an app registers with its pusher (Matrix specification, "Push Gateway API"). Matrix's
/// and SDN's SDKs recommend a different end of the ID for each environment of the push service.
package struct MatrixApps: Sendable, Equatable {
    /// The environment of the push service for which the app is signed.
    package enum Environment: String, Sendable, CaseIterable {
        case production, development
    }

    /// The values of the apps with an ID, or with an ID that begins with a text.
    package struct Rule: Sendable, Equatable {
        /// The ID of an app, or the beginning of IDs and a `*`.
        package var pattern: String
        /// The app group of the requests; `nil` for the default group.
        package var group: AppGroupName?
        /// The name of the profile; `nil` if the words of the ID name it.
        package var profile: String?
        /// The environment; `nil` if the end of the ID names it.
        package var environment: Environment?

        package init(
            pattern: String, group: AppGroupName? = nil, profile: String? = nil, environment: Environment? = nil
        ) {
            (self.pattern, self.group, self.profile, self.environment) = (pattern, group, profile, environment)
        }

        /// The beginning of the IDs; `nil` if the rule is for one ID.
        fileprivate var beginning: Substring? { pattern.hasSuffix("*") ? pattern.dropLast() : nil }
    }

    /// The values of one app.
    package struct Target: Sendable, Equatable {
        package var group: AppGroupName
        /// The name of the profile; `nil` for the default profile.
        package var profile: String?
        package var environment: Environment
    }

    /// The profiles that a word of an ID names, such as `ios` in `com.example.ios.dev`.
    private static let profileWords: Set<String> = ["ios", "android", "web"]
    private static let developmentWords: Set<String> = ["dev", "debug", "sandbox"]

    /// The rules for one ID each, by the ID.
    private let rules: [String: Rule]
    /// The rules for beginnings, the longest beginning first.
    private let rulesOfBeginnings: [Rule]

    /// - Parameter rules: The rules. The rule for an ID itself decides, or else the rule with the longest beginning. The
    ///   first of two rules with the same pattern decides.
    package init(_ rules: [Rule] = []) {
        let byPattern = Dictionary(rules.map { ($0.pattern, $0) }) { first, _ in first }
        self.rules = byPattern.filter { $0.value.beginning == nil }
        rulesOfBeginnings = byPattern.values.filter { $0.beginning != nil }.sorted {
            ($0.pattern.utf8.count, $0.pattern) > ($1.pattern.utf8.count, $1.pattern)
        }
    }

    /// The rules in the order of their patterns.
    package var all: [Rule] { (rules.values + rulesOfBeginnings).sorted { $0.pattern < $1.pattern } }

    package func target(of appID: String) -> Target {
        let rule = rules[appID] ?? rulesOfBeginnings.first { $0.beginning.map(appID.hasPrefix) ?? false }
        return Target(
            group: rule?.group ?? .default, profile: rule?.profile ?? Self.profile(of: appID),
            environment: rule?.environment ?? Self.environment(of: appID))
    }

    private static func profile(of appID: String) -> String? {
        let words = appID.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
        return words.first(where: profileWords.contains)
    }

    private static func environment(of appID: String) -> Environment {
        let parts = appID.lowercased().split(separator: ".", omittingEmptySubsequences: false)
        let isDevelopment = parts.count > 1 && parts.last.map { developmentWords.contains(String($0)) } == true
        return isDevelopment ? .development : .production
    }
}

/// The callers that the push gateway of Matrix takes. Homeservers send no credentials.
package enum MatrixGatewayAccess: String, Sendable, CaseIterable {
    /// The gateway takes no caller.
    case off
    /// The gateway takes the callers that may submit requests. On addresses without tokens, these are all callers.
    case token
    /// The gateway takes all callers, also without a token.
    case open
}
