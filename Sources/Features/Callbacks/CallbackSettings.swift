import Base
import FeatureKit
import FoundationEssentials
import NotificationModel
import ServiceConfiguration
import Telemetry

extension Callbacks.Settings {
    init(_ configuration: Configuration) {
        self.init(
            targets: configuration.callbacks.targets.map { CallbackTarget($0) } + Self.providers(configuration),
            linkBase: configuration.callbacks.apiURL.map(\.description) ?? "")
        // A message that waits for a connection would take the place of one that is sent. No target takes the
        // descriptors of all others.
        let share = DescriptorBudget(configuration).callbacks / max(1, targets.count)
        let most = min(configuration.fetch.limits.connectionsPerHost, max(1, share))
        for index in targets.indices { targets[index].concurrent = min(targets[index].concurrent, most) }
    }

    /// Returns the servers of providers to which receipts are passed on. A group with settings of its own has its own
    /// targets, and no group uses the credentials of another one.
    private static func providers(_ configuration: Configuration) -> [CallbackTarget] {
        let groups = configuration.byGroup
        let own = groups.sorted { $0.key.description < $1.key.description }.flatMap { group, settings in
            targets(settings, named: ".\(group)") { $0.groups = .only([group]) }
        }
        return own + targets(configuration, named: "") { $0.otherGroups = Set(groups.keys) }
    }

    private static func targets(
        _ configuration: Configuration, named suffix: String, _ restrict: (inout CallbackRouting.Target) -> Void
    ) -> [CallbackTarget] {
        func target(
            _ name: String, _ kind: CallbackTarget.Kind, _ form: CallbackRouting.Target.Form, _ url: BaseURL
        ) -> CallbackTarget {
            var routing = CallbackRouting.Target(name: name + suffix)
            routing.form = form
            if case .sendios = form { routing.takesOptOuts = configuration.sendios.optOuts }
            restrict(&routing)
            return CallbackTarget(name: name + suffix, kind: kind, shownURL: url.description, routing: routing)
        }
        var targets: [CallbackTarget] = []
        let sendios = configuration.sendios
        if let url = sendios.baseURL, let client = sendios.clientID, let token = sendios.clientTokenFile,
            let app = sendios.appID
        {
            let account = SendiosAccount(
                baseURL: url.description, clientID: client, clientToken: token.secret.value, appID: app)
            targets.append(target("sendios", .sendios(account), .sendios(senderID: sendios.senderID), url))
        }
        let comapi = configuration.comapi
        if let url = comapi.baseURL, let space = comapi.apiSpace, let tokens = ComapiAccount.Tokens(comapi) {
            let account = ComapiAccount(baseURL: url.description, apiSpace: space, tokens: tokens)
            targets.append(target("comapi", .comapi(account), .comapi, url))
        }
        return targets
    }
}

extension ComapiAccount.Tokens {
    fileprivate init?(_ comapi: Configuration.Comapi) {
        if let url = comapi.tokenURL {
            self = .asked(url: url.description)
        } else if let key = comapi.keyFile, let issuer = comapi.issuer, let audience = comapi.audience {
            self = .signed(
                secret: key.secret.value, issuer: issuer, audience: audience, idClaim: comapi.idClaim)
        } else {
            return nil
        }
    }
}

extension CallbackTarget {
    fileprivate init(_ target: ConfiguredCallbackTarget) {
        self.init(
            name: target.name, kind: .webhook(url: target.url, keys: target.secretFile.keys), shownURL: target.shownURL,
            routing: CallbackRouting.Target(
                name: target.name, groups: target.groups, types: Set(target.types), hasResult: target.hasResult,
                requestOrigin: target.takesRequests ? target.origin : nil),
            concurrent: target.concurrent, timeout: target.timeout)
    }
}

/// The metrics of the messages that wait for their targets.
struct CallbackGauges: Sendable {
    let callbacks: Callbacks
    let clock: any RequestClock

    /// Returns the metrics. `MetricsRegistry` calls this function.
    @Sendable func families() -> [MetricFamily] {
        let (gauges, now) = (callbacks.gauges, clock.date)
        func family(
            _ name: String, _ help: String, _ value: (CallbackBacklog, _ isDisabled: Bool) -> Double
        ) -> MetricFamily {
            MetricFamily(
                name, by: "target", each: gauges.map { ($0.target, value($0.backlog, $0.isDisabled)) }, help: help)
        }
        let perTarget = [
            family("appgroupd_callbacks_pending", "Callbacks that a target has not accepted yet.") { backlog, _ in
                Double(backlog.pending)
            },
            family("appgroupd_callback_oldest_seconds", "Age of the oldest pending callback of a target.") {
                backlog, _ in backlog.oldest.map { max(0, now.timeIntervalSince($0)) } ?? 0
            },
            family("appgroupd_callback_target_disabled", "1 while a target gets no callbacks, else 0.") {
                _, isDisabled in
                isDisabled ? 1 : 0
            },
        ]
        let dropped = MetricFamily(
            "appgroupd_callbacks_dropped_total", .counter, Double(callbacks.dropped),
            help: "Pending callbacks that were removed because callbacks.quota was full.")
        return (gauges.isEmpty ? [] : perTarget) + [dropped]
    }
}
