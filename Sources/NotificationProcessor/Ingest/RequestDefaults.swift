package import NotificationModel

/// What a request gets where its envelope says nothing: the command line's flags, or the configuration.
package struct RequestDefaults: Sendable {
    package var appGroup = AppGroupName.default
    package var profile = MediaProfile.ios
    package var budget = TimeBudget.standard
    /// The most that is kept back of a budget.
    package var longestReserve: Duration = .milliseconds(250)
    package var dialect: DialectID?
    package var permissions = Permissions()
    package var network: NetworkKind?
    package var locale: String?

    package init() {}
}
