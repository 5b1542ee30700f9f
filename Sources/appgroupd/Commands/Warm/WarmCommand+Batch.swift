import Composition
import FoundationEssentials
import NotificationModel
import NotificationProcessor
import Primitives
import ServiceConfiguration
import Warming

/// The conversion of the flags into a batch.
extension WarmCommand {
    /// Returns the sources of the batch, with the reader of their items.
    func reading(_ profiles: [MediaProfile], _ configuration: Configuration) -> WarmSources {
        var defaults = RequestDefaults(configuration)
        defaults.profile = profiles.first ?? defaults.profile
        let now = Date()
        return WarmSources(
            names: sources, format: from,
            items: WarmItemReader(
                format: from,
                entries: WarmEntryReader(
                    .source,
                    defaults: .init(
                        profiles: profiles, appGroup: group, keepUntil: keep.flatMap { KeepTime.date($0, at: now) },
                        budget: configuration.budget),
                    now: now, date: { KeepTime.date($0, at: now) },
                    payloadURL: PayloadRules(configuration).firstLocation(defaults, SystemClock()))))
    }

    /// Returns the identity of the batch. The identity includes everything that has an effect on the renditions, so
    /// that no journal is continued for a different batch.
    func batch(_ profiles: [MediaProfile], _ configuration: Configuration) -> WarmBatch {
        WarmBatch(
            sources: sources.map { $0 == "-" || WarmSources.isURL($0) ? $0 : AbsolutePath.of($0) },
            target: via.map { $0.contains("://") ? $0 : AbsolutePath.of($0) } ?? AbsolutePath.of(configuration.root),
            options: profiles.map(\.name) + [
                group.description, keep ?? "", from?.rawValue ?? "", "\(limits.maxBytes ?? 0)",
            ])
    }
}
